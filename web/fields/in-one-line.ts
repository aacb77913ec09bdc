/** More than a cell can ever show; the rest would only weigh on the page. */
const MOST_SHOWN = 300

/** Text with its line breaks and runs of space made single, cut where no cell reaches. */
export const inOneLine = (text: string): string =>
  text
    .slice(0, MOST_SHOWN * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_SHOWN)
