import type { Field } from '#domain/fields/field.ts'
import { judgeMove } from '#domain/query/judge-change.ts'
import { beginningAt } from '#domain/query/records-query.ts'
import { BLOCK_RECORDS, type ResultShape, moved, placeOf } from '#domain/query/result-shape.ts'
import { SAW_NOTHING } from '#server/database/commit-mark.ts'
import { type RowPage, selectPage } from '#server/query/run-records-query.ts'
import { type KeeperNeeds, type Seen, type Told, keptResults } from './kept-results.ts'
import { readShape } from './read-shape.ts'
import type { Listing } from './listing.ts'
import { type ListSubject, subjectOf } from './subject-of.ts'
import { thingsKeeper } from './things-keeper.ts'

/** So far a database passes over records quickly enough that no shape is read for the sake of it. */
const DEEP_FROM = 1000

/** A list of a million records has 10,000 blocks of some 150 bytes each, so this is room for some ten of them. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_SHAPES = 200

/**
 * Finds pages, the deep ones by their place in the shape of the list. The first that asks for a deep page has the shape
 * read in the background and is served without it.
 */
export function pageFinder(needs: KeeperNeeds) {
  const shapes = keptResults<ListSubject, ResultShape>(needs, {
    follow: followed,
    bytesOf,
    mostEntries: MOST_SHAPES,
    mostBytes: MOST_BYTES,
  })
  const thingsIn = thingsKeeper(needs)

  return async (asked: Listing, fields?: readonly Field[]): Promise<RowPage> => {
    const { query, definitionsVersion } = asked
    const scope = { ...asked.scope, keepThings: thingsIn(definitionsVersion) }
    const listing = { ...asked, scope }
    const { after, ordinal } = query.page
    if (after !== null || ordinal < BLOCK_RECORDS) return selectPage(scope, query, fields)

    const about = subjectOf(listing, query.sort)
    const shape = shapes.now(about)
    if (shape) return selectPage(scope, beginningAt(query, placeOf(shape, ordinal)), fields)

    if (ordinal >= DEEP_FROM) void shapes.prepare(about, () => readSeen(listing, needs.nowMs))
    return selectPage(scope, query, fields)
  }
}

/** Each block of a shape knows for itself what it had seen. */
async function readSeen({ scope, query }: Listing, nowMs: () => number): Promise<Seen<ResultShape> | undefined> {
  const value = await readShape(scope, query, { nowMs })
  return value && { value, view: SAW_NOTHING }
}

/** A worn shape goes, and is read anew when it is asked for. */
function followed(shape: ResultShape, { mark, change }: Told, { list }: ListSubject): ResultShape | undefined {
  const move = judgeMove(list, shape.sort, change)
  const next = move && moved(shape, move, mark)
  return next?.isWorn ? undefined : next
}

const BYTES_A_BLOCK = 100

function bytesOf({ blocks }: ResultShape): number {
  const [, second] = blocks
  // Keys of one list are about as long as each other.
  const letters = (second?.after ?? []).reduce<number>((sum, part) => sum + String(part).length, 0)
  return blocks.length * (BYTES_A_BLOCK + letters * 2)
}
