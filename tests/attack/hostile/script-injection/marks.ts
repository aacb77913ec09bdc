import { NEVER_DISPLAYED } from './never-displayed.ts'

/** The results for the texts stored in one place. */
export type Fate = {
  kept: number
  refused: number
  isSeen: boolean
  isOpened: boolean
}

type Summary = { readonly lines: readonly string[]; readonly broken: readonly string[] }

/** Cases by number, and the results per place. */
export type Marks = ReturnType<typeof openMarks>

const MARK = /pwned(?:\(|\.test[/\\])(\d+)/g

const marksIn = (text: string): readonly number[] => [...text.matchAll(MARK)].map(([, mark]) => Number(mark))

/** Numbers each case, so that a text that runs, loads or is displayed identifies where it was stored. */
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
    /** Creates a unique text to store in a place. */
    write: (place: string, text: string): string => {
      cases.push({ place, text })
      return text.replaceAll('§', String(cases.length - 1))
    },
    /** Records whether the text was stored. */
    settle: (sent: string, isKept: boolean): void => {
      for (const place of placesOf(sent)) fateOf(place)[isKept ? 'kept' : 'refused'] += 1
    },
    see: (shown: string): void => placesOf(shown).forEach((place) => (fateOf(place).isSeen = true)),
    open: (content: string): void => placesOf(content).forEach((place) => (fateOf(place).isOpened = true)),
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
    `${seen.length} were displayed on a page`,
    `${opened.length} opened as files`,
    `${rest.length - missed.length} are never displayed`,
  ]
  return {
    lines: [reported.join(', '), ...(missed.length > 0 ? [`not displayed: ${missed.join(', ')}`] : [])],
    broken: [
      ...missed.map((place) => `no page displayed the text of ${place}`),
      ...shown.map(({ place }) => `${place} is listed as never displayed, but was`),
    ],
  }
}
