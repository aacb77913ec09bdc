import { NEVER_DISPLAYED } from './never-displayed.ts'

/** What became of the texts that were put into one place. */
export type Fate = {
  kept: number
  refused: number
  isSeen: boolean
  isOpened: boolean
}

type Summary = { readonly lines: readonly string[]; readonly broken: readonly string[] }

/** Every case by its number, and what became of the places. */
export type Marks = ReturnType<typeof openMarks>

const MARK = /pwned(?:\(|\.test[/\\])(\d+)/g

const marksIn = (text: string): readonly number[] => [...text.matchAll(MARK)].map(([, mark]) => Number(mark))

/** Gives each case a number, so that whatever runs, loads or is seen says where it was put, and what it was. */
export function openMarks() {
  const cases: { readonly place: string; readonly text: string }[] = []
  const fates = new Map<string, Fate>()
  const placesOf = (text: string): readonly string[] => [
    ...new Set(marksIn(text).flatMap((mark) => cases[mark]?.place ?? [])),
  ]
  const fateOf = (place: string): Fate => {
    const fate = fates.get(place) ?? { kept: 0, refused: 0, isSeen: false, isOpened: false }
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
    see: (shown: string): void => placesOf(shown).forEach((place) => (fateOf(place).isSeen = true)),
    open: (content: string): void => placesOf(content).forEach((place) => (fateOf(place).isOpened = true)),
    /** What a case is, for people. */
    describe: (mark: number): string => {
      const { place, text } = cases[mark] ?? { place: 'nowhere', text: '' }
      return `${place} ${JSON.stringify(text)}`
    },
    fates: (): ReadonlyMap<string, Fate> => fates,
    summary: () => summaryOf(fates),
    count: () => cases.length,
  }
}

function summaryOf(fates: ReadonlyMap<string, Fate>): Summary {
  const kept = [...fates].flatMap(([place, fate]) => (fate.kept > 0 ? [{ place, ...fate }] : []))
  const seen = kept.filter(({ isSeen }) => isSeen)
  const opened = kept.filter(({ isSeen, isOpened }) => isOpened && !isSeen)
  const rest = kept.filter(({ isSeen, isOpened }) => !isSeen && !isOpened).map(({ place }) => place)
  const missed = rest.filter((place) => !NEVER_DISPLAYED.has(place))
  const shown = seen.filter(({ place }) => NEVER_DISPLAYED.has(place))
  const reported = [
    `of ${fates.size} places ${kept.length} kept a text`,
    `${seen.length} were seen again on a page`,
    `${opened.length} opened as files`,
    `${rest.length - missed.length} are shown to nobody`,
  ]
  return {
    lines: [reported.join(', '), ...(missed.length > 0 ? [`not seen: ${missed.join(', ')}`] : [])],
    broken: [
      ...missed.map((place) => `no page has shown what ${place} keeps`),
      ...shown.map(({ place }) => `${place} is said to be shown to nobody, and was seen`),
    ],
  }
}
