/** Records are looked up in a list by so many places at once. */
export const POSITIONS_PER_BLOCK = 50

/** So many places around the one that is looked at are known, for records that are gone and steps that come fast. */
const LOOKUP_RADIUS = 8

/** Ids by their place in a list, as far as they are known. */
export type IdAtPosition = (ordinal: number) => string | undefined

/** Where one is in a list. */
export type RecordPosition = { readonly id: string; readonly ordinal: number }

/** The places beside one, and where that is by now. */
export type Neighbors = {
  readonly previous: RecordPosition | undefined
  readonly next: RecordPosition | undefined
  readonly ordinal: number
}

/** The blocks of places that tell what is beside one. */
export function blocksAround(ordinal: number): readonly number[] {
  const first = Math.floor(Math.max(0, ordinal - LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  const last = Math.floor((ordinal + LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  return first === last ? [first] : [first, last]
}

type NeighborQuery = {
  readonly idAt: IdAtPosition
  readonly id: string
  /** Where it was last known to be. */
  readonly ordinal: number
}

/**
 * What stands before and after a record in its list. Where it moved a little, it is found again; where it is not in the
 * list any more, what took its place is the next.
 */
export function neighborsOf({ idAt, id, ordinal }: NeighborQuery): Neighbors {
  // Until its own place is known nothing can be said.
  if (idAt(ordinal) === undefined && idAt(ordinal - 1) === undefined)
    return { previous: undefined, next: undefined, ordinal }
  const now = positionNear(idAt, id, ordinal)
  const step = (from: number, by: 1 | -1): RecordPosition | undefined => {
    for (let at = from; at >= 0; at += by) {
      const found = idAt(at)
      if (found === undefined) return undefined
      if (found !== id) return { id: found, ordinal: at }
    }
    return undefined
  }
  return {
    previous: step((now ?? ordinal) - 1, -1),
    next: step(now === undefined ? ordinal : now + 1, 1),
    ordinal: now ?? ordinal,
  }
}

function positionNear(idAt: IdAtPosition, id: string, ordinal: number): number | undefined {
  for (let far = 0; far <= LOOKUP_RADIUS; far += 1) {
    if (idAt(ordinal - far) === id) return ordinal - far
    if (idAt(ordinal + far) === id) return ordinal + far
  }
  return undefined
}
