import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { ask } from '#tests/conformance/query/agreement.ts'
import { authors, books, fileNames, id, userNames } from '#tests/conformance/query/data/library-schema.ts'
import { filters, questions, sights } from '#tests/conformance/query/data/generated-queries.ts'
import { BOOK_IDS, stock } from '#tests/conformance/query/data/generated-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import {
  type RecordChange,
  collectionsRead,
  membershipChange,
  positionChange,
  dependsOnUserNames,
} from './evaluate-change.ts'
import { type CheckedRecordsQuery, identityOf } from './records-query.ts'
import type { Lookup } from '../run/read-values.ts'
import {
  type Block,
  type PositionChange,
  type PageIndex,
  type VisibleCommits,
  type SortKey,
  applyPositionChange,
  anchorOf,
  createPageIndex,
} from './page-index.ts'
import { findInMemory } from '../run/run-in-memory.ts'
import { compareSortKeys, sortKeyOf } from './sort.ts'

const lookup: Lookup = {
  recordOf: (collection, wanted) => stock.get(collection)?.find((record) => record.id === wanted),
  linkingTo: () => [],
  fileNameOf: (wanted) => fileNames.get(wanted),
  userNameOf: (wanted) => userNames.get(wanted),
  manualKeyOf: () => undefined,
}
const drawn = stock.get(books.id) ?? []
const BLOCK = 4

/** Snapshot taken before any commit in these tests. */
const SAW_NONE: VisibleCommits = { includes: () => false }
const MARK = 1n

/** Builds the index by reading the list block by block. */
function shapeIn(
  query: CheckedRecordsQuery,
  records: readonly CollectionRecord[],
  seenAt: (block: number) => VisibleCommits = () => SAW_NONE,
): PageIndex {
  const keys = findInMemory(query, records, lookup).map((record) => sortKeyOf(query.sort, record, lookup))
  const [lowest, highest] = [keys[0], keys.at(-1)]
  const blocks = Array.from({ length: Math.floor(keys.length / BLOCK) + 1 }, (_, at) => ({
    after: keys[at * BLOCK - 1] ?? null,
    count: Math.min(BLOCK, keys.length - at * BLOCK),
    seen: seenAt(at),
  }))
  return createPageIndex(query.sort, blocks, lowest && highest ? { lowest, highest } : null, BLOCK)
}

/** Checks that every ordinal locates its record. */
function expectPlaces(shape: PageIndex, query: CheckedRecordsQuery, records: readonly CollectionRecord[]): void {
  const found = findInMemory(query, records, lookup)
  expect(shape.total).toBe(found.length)
  for (const [ordinal, { id: wanted }] of found.entries()) {
    const { after, skip } = anchorOf(shape, ordinal)
    const behind = found.filter(
      (record) => after === null || compareSortKeys(query.sort, sortKeyOf(query.sort, record, lookup), after) > 0,
    )
    expect(behind[skip]?.id).toBe(wanted)
  }
}

/** A write: the record, the source of its values, and whether it is deleted. IDs not in the initial list are new. */
const writes = fc.array(
  fc.record({
    book: fc.oneof(
      fc.constantFrom(...BOOK_IDS),
      fc.nat(60).map((count) => id('b', 100 + count)),
      fc.constant(id('b', 0)),
    ),
    like: fc.nat(drawn.length - 1),
    isRemoved: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60 },
)

type Write = typeof writes extends fc.Arbitrary<readonly (infer One)[]> ? One : never

function write(records: Map<string, CollectionRecord>, { book, like, isRemoved }: Write): RecordChange {
  const before = records.get(book) ?? null
  const model = drawn[like]
  if (isRemoved || !model) {
    records.delete(book)
    return { before, after: null }
  }
  const after = { ...model, id: book }
  records.set(book, after)
  return { before, after }
}

const byId = () => new Map(drawn.map((record) => [record.id, record]))

describe('a page index', () => {
  test('finds every record in its list', () => {
    const property = fc.property(questions, sights, (question, sight) => {
      const query = ask(question, sight)
      expectPlaces(shapeIn(query, drawn), query, drawn)
    })
    fc.assert(property, { numRuns: perTier(60) })
  })

  test('remains correct after every change it can apply', () => {
    const property = fc.property(questions, sights, writes, (question, sight, written) => {
      const query = ask(question, sight)
      const records = byId()
      let shape: PageIndex | undefined = shapeIn(query, [...records.values()])
      for (const one of written) {
        const move = positionChange(query, query.sort, write(records, one))
        shape = move && shape && applyPositionChange(shape, move, MARK)
        if (!shape) return
      }
      expectPlaces(shape, query, [...records.values()])
    })
    fc.assert(property, { numRuns: perTier(150) })
  })

  test('has the same content for any order of changes', () => {
    const property = fc.property(
      fc.constantFrom('', 'price', '-title', 'sold,-dueOn'),
      writes,
      fc.infiniteStream(fc.nat()),
      (sort, written, lots) => {
        const query = ask({ sort, perPage: 500 })
        const records = byId()
        const start = shapeIn(query, [...records.values()])
        const moves = written.flatMap((one): readonly PositionChange[] => {
          const move = positionChange(query, query.sort, write(records, one))
          return move ? [move] : []
        })
        const shuffled = moves
          .map((move) => ({ move, lot: lots.next().value ?? 0 }))
          .sort((left, right) => left.lot - right.lot)
        expectPlaces(
          shuffled.reduce((shape, { move }) => applyPositionChange(shape, move, MARK), start),
          query,
          [...records.values()],
        )
      },
    )
    fc.assert(property, { numRuns: perTier(100) })
  })

  test('adds blocks at either end and merges small blocks', () => {
    const query = ask({ perPage: 500 })
    let shape = shapeIn(query, [])
    const numbers = Array.from({ length: 40 }, (_, at) => at)
    for (const at of numbers) shape = applyPositionChange(shape, { from: null, to: [id('b', 1000 + at)] }, MARK)
    for (const at of numbers) shape = applyPositionChange(shape, { from: null, to: [id('b', 999 - at)] }, MARK)
    expect(shape.blocks.every(({ count }) => count <= BLOCK)).toBe(true)
    expect(shape.needsRebuild).toBe(false)
    for (const at of numbers) shape = applyPositionChange(shape, { from: [id('b', 1000 + at)], to: null }, MARK)
    for (const at of numbers.slice(1)) shape = applyPositionChange(shape, { from: [id('b', 999 - at)], to: null }, MARK)
    expect(shape).toMatchObject({ total: 1, blocks: [{ after: null }] })
  })

  test('needs a rebuild if a block in the middle has grown', () => {
    const query = ask({ perPage: 500 })
    let shape = shapeIn(query, drawn)
    const ending = (at: number) => [`${id('b', 4)}${String(at)}`]
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
      shape = applyPositionChange(shape, { from: null, to: ending(at) }, MARK)
      expect(shape.needsRebuild).toBe(false)
    }
    expect(applyPositionChange(shape, { from: null, to: ending(13) }, MARK).needsRebuild).toBe(true)
  })

  test('read in blocks during writes is eventually consistent', () => {
    const property = fc.property(fc.constantFrom('', '-price', 'title'), writes, (sort, written) => {
      const query = ask({ sort, perPage: 500 })
      const records = byId()
      // Block n is read after n writes, and its snapshot contains exactly those writes.
      const snapshots = [[...records.values()]]
      const moves: (PositionChange | undefined)[] = []
      for (const one of written) {
        moves.push(positionChange(query, query.sort, write(records, one)))
        snapshots.push([...records.values()])
      }
      const stepped = readInSteps(query, snapshots)
      const reported = moves.reduce<PageIndex>(
        (shape, move, at) => (move ? applyPositionChange(shape, move, BigInt(at)) : shape),
        stepped,
      )
      expectPlaces(reported, query, [...records.values()])
    })
    fc.assert(property, { numRuns: perTier(150) })
  })
})

/** Reads a list block by block, using the next snapshot for each block. */
function readInSteps(query: CheckedRecordsQuery, snapshots: readonly (readonly CollectionRecord[])[]): PageIndex {
  const blocks: Block[] = []
  let after: SortKey | null = null
  let lowest: SortKey | undefined
  for (let step = 0; ; step += 1) {
    const at = Math.min(step, snapshots.length - 1)
    const seen: VisibleCommits = { includes: (mark) => mark < BigInt(at) }
    const keys = findInMemory(query, snapshots[at] ?? [], lookup).map((record) => sortKeyOf(query.sort, record, lookup))
    const behind: readonly SortKey[] = keys.filter(
      (key) => after === null || compareSortKeys(query.sort, key, after) > 0,
    )
    lowest ??= behind[0]
    const next = behind[BLOCK - 1]
    blocks.push({ after, count: Math.min(BLOCK, behind.length), seen })
    const highest = behind.at(-1) ?? after
    if (!next) return createPageIndex(query.sort, blocks, lowest && highest ? { lowest, highest } : null, BLOCK)
    after = next
  }
}

describe('a change', () => {
  test('reports a membership change if and only if the query’s results change', () => {
    const property = fc.property(filters, fc.nat(drawn.length - 1), fc.nat(drawn.length - 1), (filter, was, is) => {
      const query = ask({ filter, perPage: 500 })
      const [before, after] = [drawn[was] ?? null, drawn[is] ?? null]
      const result = membershipChange(query, { before, after })
      const finds = (record: CollectionRecord | null) =>
        record !== null && findInMemory(query, [record], lookup).length > 0
      if (result) expect(result).toEqual({ was: finds(before), is: finds(after) })
    })
    fc.assert(property, { numRuns: perTier(300) })
  })

  test.each(['author.name = "x"', 'writers.country.name is empty', 'scans ~ "pdf"'])(
    'to a list filtered by %s can’t be evaluated from the changed record alone',
    (filter) => {
      const busy =
        drawn.find(({ values }) =>
          ['author', 'writers', 'scans'].every((name) => {
            const field = books.fields.find((each) => each.name === name)
            const value = field && values[field.id]
            return Array.isArray(value) ? value.length > 0 : value !== null
          }),
        ) ?? null
      expect(busy).not.toBeNull()
      expect(membershipChange(ask({ filter, perPage: 10 }), { before: null, after: busy })).toBeUndefined()
    },
  )

  test('to another collection affects a query if a field path, title or grant reads that collection', () => {
    const reached = (question: Parameters<typeof ask>[0], sight?: Parameters<typeof ask>[1]) => {
      const query = ask(question, sight)
      return [...collectionsRead(query, query.sort)]
    }
    expect(reached({ filter: 'price > 1', sort: 'title', perPage: 10 })).toEqual([])
    expect(reached({ filter: 'author.active = true', perPage: 10 })).toEqual([authors.id])
    expect(reached({ sort: '-writers', perPage: 10 })).toEqual([authors.id])
    expect(reached({ filter: 'author.country.name ~ "a"', perPage: 10 })).toHaveLength(2)
    const bounded = { books: undefined, authors: { field: 'country.name', op: '~', value: 'a' } } as const
    expect(reached({ filter: 'author.active = true', perPage: 10 }, bounded)).toHaveLength(2)
    const partly = (field: string, op: '=' | '~', value: boolean | string) => ({
      books: undefined,
      authors: undefined,
      partly: { books: { price: { field, op, value } } },
    })
    expect(reached({ filter: 'price > 1', perPage: 10 }, partly('author.active', '=', true))).toEqual([authors.id])
    expect(reached({ sort: 'price', perPage: 10 }, partly('author.country.name', '~', 'a'))).toHaveLength(2)
    expect(reached({ filter: 'sold = true', perPage: 10 }, partly('author.active', '=', true))).toEqual([])
    const named = ask({ sort: 'price', perPage: 10 }, partly('keeper', '~', 'a'))
    expect(dependsOnUserNames(named, named.sort)).toBe(true)
  })
})

describe('the identity of a query', () => {
  const NO_BOUNDS = { books: undefined, authors: undefined }
  const named = (question: Parameters<typeof ask>[0], sight?: Parameters<typeof ask>[1]) => {
    const { where, search, sort } = ask(question, sight)
    return identityOf(where, search, sort)
  }

  test('depends on the meaning of the query, not on its spelling', () => {
    expect(named({ filter: 'price>1 && sold=true', perPage: 10 })).toBe(
      named({ filter: 'price > 1 && sold = true', perPage: 50 }),
    )
  })

  test('differs by condition, order, search and permissions', () => {
    const property = fc.property(questions, sights, questions, sights, (left, leftSight, right, rightSight) => {
      if (named(left, leftSight) !== named(right, rightSight)) return
      const [one, other] = [ask(left, leftSight), ask(right, rightSight)]
      expect(findInMemory(one, drawn, lookup)).toEqual(findInMemory(other, drawn, lookup))
    })
    fc.assert(property, { numRuns: perTier(300) })
    const hidden = { books: { field: 'secret', op: 'is not empty' }, authors: undefined } as const
    expect(named({ perPage: 10 })).not.toBe(named({ perPage: 10 }, hidden))
    const soldOnly = { ...NO_BOUNDS, partly: { books: { price: { field: 'sold', op: '=', value: true } } } } as const
    const openOnly = { ...NO_BOUNDS, partly: { books: { price: { field: 'sold', op: '=', value: false } } } } as const
    const byPrice = [undefined, soldOnly, openOnly].map((sight) => named({ sort: 'price', perPage: 10 }, sight))
    expect(new Set(byPrice).size).toBe(3)
    expect(named({ sort: 'title', perPage: 10 }, soldOnly)).toBe(named({ sort: 'title', perPage: 10 }))
  })

  test('throws for values that JSON can’t represent', () => {
    expect(() => identityOf({ passes: () => true })).toThrow(TypeError)
    expect(identityOf(new Set([1]))).not.toBe(identityOf(new Set([2])))
  })
})
