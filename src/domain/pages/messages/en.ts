// What the page of a survey says by itself, beside the texts of the survey. The other languages have the type of this one:
// a key that one of them lacks does not compile. `{name}` stands for what is put in.

export const en = {
  languageName: 'English',
  language: 'Language',
  required: 'required',
  optional: 'optional',
  /** On top of a page that has required questions. */
  requiredNote: 'Questions marked with * need an answer.',
  chooseOne: 'Choose one answer',
  chooseAny: 'Choose all that apply',
  choosePlease: 'Please choose',
  dontKnow: 'Don’t know',
  /** The answers of a rating, for whoever cannot see them: "3 of 5". */
  starsOf: '{value} of {max} stars',
  valueOf: '{value}, on a scale from {min} to {max}',
  charactersLeft: { one: '{count} character left', other: '{count} characters left' },
  charactersOver: { one: '{count} character too many', other: '{count} characters too many' },
  clearAnswer: 'Clear the answer',

  send: 'Send',
  next: 'Next',
  back: 'Back',
  step: 'Step {step} of {steps}',
  progress: 'Progress',
  privacy: 'Privacy',
  close: 'Close',
  backToPage: 'Continue',

  /** The title of a page with faults begins with this. */
  errorTitle: 'Error',
  faultsHeading: {
    one: 'There is a problem with an answer',
    other: 'There are problems with {count} answers',
  },
  faults: {
    REQUIRED: 'Please answer this question.',
    TOO_LONG: 'This answer is too long: at most {max} characters.',
    UNKNOWN_ANSWER: 'Please choose one of the answers.',
    TOO_MANY_ANSWERS: 'Please choose one answer only.',
    INVALID: 'This answer is not valid.',
  },
  /** Questions that are shown only now, because of what was written. */
  moreQuestions: 'Your answers lead to further questions.',

  sending: 'Sending …',
  sendFailed: 'Your answers could not be sent. They are kept on this device.',
  offline: 'You are offline. Your answers will be sent when you are back online.',
  retry: 'Try again',
  restored: 'Your earlier answers are filled in.',
  startAgain: 'Start again',
  working: 'One moment: checking that you are not a robot …',
  waitAndSend:
    'Many answers are arriving. Please wait {seconds} seconds and send again; your answers are kept.',
  expired: 'This page was open for a long time. Please check your answers and send them again.',
  honeypot: 'Leave this field empty',

  thanksTitle: 'Thank you',
  thanksText: 'Your answers have arrived.',
  testThanksText: 'This was a test: your answers are valid, and nothing was stored.',
  closedTitle: 'This survey is closed',
  closedText: 'It no longer takes answers. Thank you for your interest.',
  notOpenTitle: 'This survey is not open yet',
  notOpenText: 'Please come back later.',
  answeredTitle: 'You have already answered',
  answeredText: 'This invitation has been used. Thank you for your answers.',
  unknownTitle: 'There is no survey here',
  unknownText: 'Check the address, or use the link from your invitation. Invitations can expire.',
  busyTitle: 'Please try again in a moment',
  busyText: 'The survey cannot be shown right now. Nothing is lost.',

  /** Of /embed.js. */
  feedback: 'Feedback',
  openSurvey: 'Open the survey',
  decline: 'No, thank you',
  invitation: 'Would you answer a few questions?',
  openInNewTab: 'Open in a new tab',
};

/** Languages have further forms, such as "few" in Polish; `other` is in all of them. */
export type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;
type Texts<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends { readonly other: string }
      ? Plural
      : Texts<T[Key]>;
};
export type Messages = Texts<typeof en>;
