/** The version of the program, as package.json has it. */
export const programVersion = '0.2.1';
