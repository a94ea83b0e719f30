// The codes of single faults, which stand in `detailedErrors` beside the sentence that says what to do. Like the codes
// of whole errors they keep their meaning once they are published (D-21).

export const faultCodes = {
  MISSING: 'The field is required and was not sent.',
  EMPTY: 'The field was sent and is empty.',
  UNKNOWN: 'The field, or what it names, does not exist here.',
  REPEATED: 'The field was sent more than once.',
  INVALID: 'The value has another type or form than the field takes.',
  TOO_LONG: 'The text has more characters than the field takes.',
  INVALID_TEXT: 'The text has a character that the field does not take.',
  WHITE_SPACE: 'The name begins or ends with white space.',
  INVISIBLE: 'The name has a character that nobody sees.',
  TOO_MANY: 'The list has more elements than the field takes.',
  TAKEN: 'Another user or group of the account has this value.',
  RESERVED: 'The value has a meaning of its own in addresses.',
  SEVERAL_PRIMARIES: 'More than one element of the list is marked as the primary one.',
  INVALID_DATE: 'The text is no day of the calendar in the form YYYY-MM-DD.',
  INVALID_RANGE: 'The last day lies before the first.',
  RANGE_TOO_LONG: 'The range has more days than can be asked for at once.',
  // Of a survey response.
  REQUIRED: 'The field or question needs a value and has none.',
  INVALID_TYPE: 'The value has another JSON type than the field takes.',
  INVALID_LENGTH: 'The text has too few or too many characters.',
  INVALID_TIMESTAMP: 'The text is no date and time of ISO 8601.',
  IN_THE_FUTURE: 'The time of submission lies in the future.',
  TOO_OLD: 'The time of submission lies before 1990.',
  UNKNOWN_QUESTION: 'The survey has no question with this id.',
  UNKNOWN_ANSWER: 'The question has no answer with this id.',
  HIDDEN_QUESTION: 'The rules of the survey hide the question after these answers.',
  TOO_MANY_ANSWERS: 'The question takes one answer.',
  TEXT_TOO_LONG: 'The open text is longer than the question takes.',
  OFF_SCALE: 'The number lies outside of the scale of the question.',
  SURVEY_CLOSED: 'This version of the survey takes no responses.',
  MEASURE_INACTIVE: 'The measure is not active and takes no responses.',
  PROJECT_INACTIVE: 'The project is not active and takes no responses.',
  PROJECT_DRAFT: 'The project is a draft and takes test responses only.',
  TOO_MANY_PARAMETERS: 'The response passes more parameters than the limit.',
  NAME_TOO_LONG: 'The name of a passed parameter is longer than the limit.',
  VALUE_TOO_LONG: 'The value of a passed parameter is longer than the limit.',
  CONFLICT: 'Another response with other content is kept under this id.',
  // Of a password.
  TOO_COMMON: 'Others have this password, or would guess it.',
  MORE_FAULTS: 'There are more faults than are listed.',
} as const;

export type FaultCode = keyof typeof faultCodes;
