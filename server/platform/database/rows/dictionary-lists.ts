/**
 * For each row of a batch some of a few texts: every text is said once, and each row says which of them it has. So much
 * that comes again and again goes from thread to thread without an object for each row.
 */
export type DictionaryLists = {
  readonly texts: readonly string[]
  /** Places in `texts`, row after row. */
  readonly places: Uint32Array
  /** Where the places of each row end; they begin where those of the row before end. */
  readonly ends: Uint32Array
}

/** Notes what each row has. */
export type DictionaryBuilder = {
  readonly add: (texts: readonly string[]) => void
  readonly picks: () => DictionaryLists
}

/** Begins with no rows. */
export function createDictionaryBuilder(): DictionaryBuilder {
  const known = new Map<string, number>()
  const texts: string[] = []
  const places: number[] = []
  const ends: number[] = []

  function placeOf(text: string): number {
    const place = known.get(text)
    if (place !== undefined) return place
    known.set(text, texts.length)
    return texts.push(text) - 1
  }

  return {
    add: (some) => {
      for (const text of some) places.push(placeOf(text))
      ends.push(places.length)
    },
    picks: () => ({ texts, places: Uint32Array.from(places), ends: Uint32Array.from(ends) }),
  }
}

/** Hands over what one row has, with its place in the row. */
export function forEachEntryOf(
  { texts, places, ends }: DictionaryLists,
  row: number,
  take: (text: string, position: number) => void,
): void {
  const begin = row === 0 ? 0 : (ends[row - 1] ?? 0)
  const end = ends[row] ?? 0
  for (let at = begin; at < end; at += 1) take(texts[places[at] ?? 0] ?? '', at - begin)
}

/** What one row has. */
export function entriesOfRow(picks: DictionaryLists, row: number): string[] {
  const found: string[] = []
  forEachEntryOf(picks, row, (text) => void found.push(text))
  return found
}

/** The same picks of other texts, one for each; none twice in a row. */
export function withDictionary(picks: DictionaryLists, texts: readonly string[]): DictionaryLists {
  if (new Set(texts).size === texts.length) return { ...picks, texts }
  const merged = createDictionaryBuilder()
  for (const row of picks.ends.keys()) merged.add([...new Set(entriesOfRow({ ...picks, texts }, row))])
  return merged.picks()
}

/** The same texts for every row. */
export function sameForAllRows(texts: readonly string[], rows: number): DictionaryLists {
  const each = createDictionaryBuilder()
  for (let row = 0; row < rows; row += 1) each.add(texts)
  return each.picks()
}

/** Picks of rows that have nothing. */
export const NO_LISTS: DictionaryLists = { texts: [], places: new Uint32Array(), ends: new Uint32Array() }
