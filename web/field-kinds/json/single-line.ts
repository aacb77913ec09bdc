/** More than a cell can ever show; the rest would only weigh on the page. */
const MAX_LENGTH = 300

/** Text with its line breaks and runs of space made single, cut where no cell reaches. */
export const toSingleLine = (text: string): string =>
  text
    .slice(0, MAX_LENGTH * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
