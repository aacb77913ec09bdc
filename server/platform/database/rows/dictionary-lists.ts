/** Lists of strings per row, dictionary-encoded, so that repeated strings cross threads without an object per row. */
export type DictionaryLists = {
  readonly texts: readonly string[]
  /** Indexes into `texts`, in row order. */
  readonly places: Uint32Array
  /** End offset of each row in `places`. */
  readonly ends: Uint32Array
}

export type DictionaryBuilder = {
  readonly add: (texts: readonly string[]) => void
  readonly picks: () => DictionaryLists
}

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

export function forEachEntryOf(
  { texts, places, ends }: DictionaryLists,
  row: number,
  take: (text: string, position: number) => void,
): void {
  const begin = row === 0 ? 0 : (ends[row - 1] ?? 0)
  const end = ends[row] ?? 0
  for (let at = begin; at < end; at += 1) take(texts[places[at] ?? 0] ?? '', at - begin)
}

export function entriesOfRow(picks: DictionaryLists, row: number): string[] {
  const found: string[] = []
  forEachEntryOf(picks, row, (text) => void found.push(text))
  return found
}

export function withDictionary(picks: DictionaryLists, texts: readonly string[]): DictionaryLists {
  if (new Set(texts).size === texts.length) return { ...picks, texts }
  const merged = createDictionaryBuilder()
  for (const row of picks.ends.keys()) merged.add([...new Set(entriesOfRow({ ...picks, texts }, row))])
  return merged.picks()
}

export function sameForAllRows(texts: readonly string[], rows: number): DictionaryLists {
  const each = createDictionaryBuilder()
  for (let row = 0; row < rows; row += 1) each.add(texts)
  return each.picks()
}

export const NO_LISTS: DictionaryLists = { texts: [], places: new Uint32Array(), ends: new Uint32Array() }
