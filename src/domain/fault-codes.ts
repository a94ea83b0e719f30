// The codes of single faults, which stand in `detailedErrors` beside the sentence that says what to do. Like the codes
// of whole errors they keep their meaning once they are published (D-21).

export const faultCodes = {
  MISSING: 'The field is required and was not sent.',
  EMPTY: 'The field was sent and is empty.',
  UNKNOWN: 'The field, or what it names, does not exist here.',
  REPEATED: 'The field was sent more than once.',
  INVALID: 'The value does not have the type or form that the field accepts.',
  TOO_LONG: 'The text has more characters than the field accepts.',
  INVALID_TEXT: 'The text has a character that the field does not accept.',
  WHITE_SPACE: 'The name begins or ends with white space.',
  INVISIBLE: 'The name has an invisible character.',
  TOO_MANY: 'The list has more elements than the field accepts.',
  TAKEN: 'Another user or group of the account already has this value.',
  PROTECTED: 'The attribute is that of an admin or of a group that carries admin.',
  RESERVED: 'The value has a special meaning in addresses.',
  SEVERAL_PRIMARIES: 'More than one element of the list is marked as primary.',
  INVALID_DATE: 'The text is not a calendar day in the form YYYY-MM-DD.',
  INVALID_RANGE: 'The last day is before the first.',
  RANGE_TOO_LONG: 'The range has more days than can be requested at once.',
  // Of a survey response.
  REQUIRED: 'The field or question requires a value and has none.',
  INVALID_TYPE: 'The value does not have the JSON type that the field accepts.',
  INVALID_LENGTH: 'The text has too few or too many characters.',
  INVALID_TIMESTAMP: 'The text is not an ISO 8601 date and time.',
  IN_THE_FUTURE: 'The time of submission is in the future.',
  TOO_OLD: 'The time of submission is before 1990.',
  UNKNOWN_QUESTION: 'The survey has no question with this id.',
  UNKNOWN_ANSWER: 'The question has no answer with this id.',
  HIDDEN_QUESTION: 'The rules of the survey hide the question after these answers.',
  TOO_MANY_ANSWERS: 'The question accepts only one answer.',
  TEXT_TOO_LONG: 'The open text is longer than the question allows.',
  OFF_SCALE: 'The number is outside the scale of the question.',
  SURVEY_CLOSED: 'This version of the survey does not accept responses.',
  MEASURE_INACTIVE: 'The measure is not active and does not accept responses.',
  PROJECT_INACTIVE: 'The project is not active and does not accept responses.',
  PROJECT_DRAFT: 'The project is a draft and accepts test responses only.',
  TOO_MANY_PARAMETERS: 'The response passes more parameters than the limit.',
  NAME_TOO_LONG: 'The name of a passed parameter is longer than the limit.',
  VALUE_TOO_LONG: 'The value of a passed parameter is longer than the limit.',
  CONFLICT: 'Another response with different content is stored under this id.',
  // Of a password.
  TOO_COMMON: 'The password is in common use or easy to guess.',
  MORE_FAULTS: 'There are more faults than are listed.',
} as const;

export type FaultCode = keyof typeof faultCodes;
