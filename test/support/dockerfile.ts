// A Dockerfile as its steps, so that tests read and run the very lines of it.

export interface DockerfileStep {
  readonly word: string;
  readonly rest: string;
}

export function dockerfileSteps(text: string): readonly DockerfileStep[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [word = '', rest = ''] = line.split(/\s+(.*)/s);
      return { word, rest };
    });
}
