/** What became of the texts that were put into one place. */
export type Fate = { kept: number; refused: number; isSeen: boolean }

/** Every case by its number, and what became of the places. */
export type Marks = ReturnType<typeof openMarks>

const MARK = /pwned(?:\(|\.test[/\\])(\d+)/g

/** The numbers of all cases that stand in a text. */
const marksIn = (text: string): readonly number[] => [...text.matchAll(MARK)].map(([, mark]) => Number(mark))

/** Gives each case a number, so that whatever runs, loads or is seen says where it was put, and what it was. */
export function openMarks() {
  const cases: { readonly place: string; readonly text: string }[] = []
  const fates = new Map<string, Fate>()
  const placesOf = (text: string): readonly string[] => [
    ...new Set(marksIn(text).flatMap((mark) => cases[mark]?.place ?? [])),
  ]
  const fateOf = (place: string): Fate => {
    const fate = fates.get(place) ?? { kept: 0, refused: 0, isSeen: false }
    fates.set(place, fate)
    return fate
  }
  return {
    /** A text of its own for a place. */
    write: (place: string, text: string): string => {
      cases.push({ place, text })
      return text.replaceAll('§', String(cases.length - 1))
    },
    /** Notes whether what was sent is kept. */
    settle: (sent: string, isKept: boolean): void => {
      for (const place of placesOf(sent)) fateOf(place)[isKept ? 'kept' : 'refused'] += 1
    },
    /** Notes what stands on a page. */
    see: (shown: string): void => placesOf(shown).forEach((place) => (fateOf(place).isSeen = true)),
    /** What a case is, for people. */
    describe: (mark: number): string => {
      const { place, text } = cases[mark] ?? { place: 'nowhere', text: '' }
      return `${place} ${JSON.stringify(text)}`
    },
    fates: (): ReadonlyMap<string, Fate> => fates,
    /** How many places there are, and which of them keep texts that no page has shown. */
    summary: (): readonly string[] => {
      const kept = [...fates].filter(([, fate]) => fate.kept > 0)
      const unseen = kept.filter(([, { isSeen }]) => !isSeen).map(([place]) => place)
      return [
        `of ${fates.size} places ${kept.length} kept a text, and ${kept.length - unseen.length} of those were seen again`,
        `not seen: ${unseen.join(', ')}`,
      ]
    },
    count: () => cases.length,
  }
}
