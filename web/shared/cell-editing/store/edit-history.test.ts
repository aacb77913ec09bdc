import { describe, expect, test } from 'vitest'
import type { CellChange } from './cell-edits.ts'
import {
  type EditHistory,
  type EditStep,
  MAX_STEPS,
  NO_HISTORY,
  redoOperation,
  afterRedo,
  undoOperation,
  afterUndo,
  withIds,
  withMergedStep,
  withOnly,
  withoutStep,
  withStep,
} from './edit-history.ts'

type World = ReadonlyMap<string, { readonly [field: string]: unknown }>

/** Deterministic pseudo-random numbers. */
function chance(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const FIELDS = ['a', 'b', 'c']
const FIRST: World = new Map(['r1', 'r2', 'r3'].map((id) => [id, { a: 0, b: 'x', c: null }]))

type Edit = ReturnType<typeof undoOperation> | ReturnType<typeof redoOperation>

/** Applies an undo or redo; recreated records get new ids, as they do on the server. */
function carryOut(world: World, { changes, make, remove }: Edit, newId: () => string) {
  const next = new Map(world)
  const ids = new Map<string, string>()
  for (const { id, values } of make) {
    const fresh = newId()
    ids.set(id, fresh)
    next.set(fresh, values)
  }
  for (const { record, field, is } of changes) {
    const id = ids.get(record) ?? record
    next.set(id, { ...next.get(id), [field]: is })
  }
  for (const id of remove) next.delete(id)
  return { world: next, ids }
}

/** Record values without ids, because recreated records get new ids. */
const contents = (world: World): readonly string[] =>
  [...world.values()].map((values) => JSON.stringify(values)).toSorted()

function randomStep(pick: (below: number) => number, world: World, id: number): EditStep {
  const records = [...world.keys()]
  const cells = new Map<string, CellChange>()
  for (let count = pick(4); count >= 0; count -= 1) {
    const record = records[pick(records.length)] ?? 'r1'
    const field = FIELDS[pick(FIELDS.length)] ?? 'a'
    cells.set(`${record} ${field}`, { record, field, was: world.get(record)?.[field], is: pick(100) })
  }
  const made = pick(4) === 0 ? [{ id: `new-${id}`, values: { a: pick(9), b: '', c: id } }] : []
  return { id, changes: [...cells.values()], made }
}

describe('the undo history of a list', () => {
  test('undoes and redoes any sequence of edits completely', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const pick = chance(seed)
      let nextId = 0
      const newId = () => `id-${seed}-${(nextId += 1)}`
      let world: World = FIRST
      let history: EditHistory = NO_HISTORY
      const steps = 1 + pick(20)
      for (let id = 1; id <= steps; id += 1) {
        const step = randomStep(pick, world, id)
        history = withStep(history, step)
        const did = carryOut(world, redoOperation(step), newId)
        world = did.world
        history = withIds(history, did.ids)
      }
      const end = contents(world)

      for (let step = history.done.at(-1); step; step = history.done.at(-1)) {
        world = carryOut(world, undoOperation(step), newId).world
        history = afterUndo(history)
      }
      expect(world).toEqual(FIRST)
      for (let step = history.undone.at(-1); step; step = history.undone.at(-1)) {
        const did = carryOut(world, redoOperation(step), newId)
        world = did.world
        history = withIds(afterRedo(history), did.ids)
      }
      expect(contents(world)).toEqual(end)
    }
  })

  const step = (id: number, was: unknown, is: unknown): EditStep => ({
    id,
    changes: [{ record: 'r1', field: 'a', was, is }],
    made: [],
  })

  test('discards undone steps after a new one', () => {
    const history = withStep(afterUndo(withStep(NO_HISTORY, step(1, 0, 1))), step(2, 0, 2))
    expect(history).toEqual({ done: [step(2, 0, 2)], undone: [] })
  })

  test('limits the number of steps', () => {
    let history = NO_HISTORY
    for (let id = 1; id <= MAX_STEPS + 5; id += 1) history = withStep(history, step(id, id - 1, id))
    expect(history.done).toHaveLength(MAX_STEPS)
    expect(history.done[0]?.id).toBe(6)
  })

  test('updates later steps after a rejected one', () => {
    const history = [step(1, 0, 1), step(2, 1, 2), step(3, 2, 3)].reduce(withStep, NO_HISTORY)
    expect(withoutStep(history, 2).done).toEqual([step(1, 0, 1), step(3, 1, 3)])
    expect(withoutStep(history, 9)).toBe(history)
  })

  test('discards cells changed by others, and empty steps', () => {
    const two: EditStep = {
      ...step(1, 0, 1),
      changes: [...step(1, 0, 1).changes, { record: 'r2', field: 'a', was: 0, is: 1 }],
    }
    const history = withStep(NO_HISTORY, two)
    expect(withOnly(history, 1, ({ record }) => record === 'r1').done).toEqual([step(1, 0, 1)])
    expect(withOnly(history, 1, () => false)).toEqual(NO_HISTORY)
  })

  test('has nothing to undo initially', () => {
    expect(afterUndo(NO_HISTORY)).toEqual(NO_HISTORY)
    expect(afterRedo(NO_HISTORY)).toEqual(NO_HISTORY)
  })
})

describe('combined undo steps', () => {
  const isSame = (_: string, one: unknown, other: unknown): boolean => String(one) === String(other)
  const came = (id: number, was: readonly string[], is: readonly string[], together = 'drop 1'): EditStep => ({
    id,
    changes: [{ record: 'r1', field: 'files', was, is }],
    made: [],
    together,
  })
  const after = (...steps: readonly EditStep[]): EditHistory =>
    steps.reduce((history, step) => withMergedStep(history, step, isSame), NO_HISTORY)

  test('are undone together', () => {
    const history = after(came(1, ['old'], ['old', 'a']), came(2, ['old', 'a'], ['old', 'a', 'b']))
    expect(history.done).toEqual([came(1, ['old'], ['old', 'a', 'b'])])
  })

  test('are kept separate if they were added at different times or with other steps in between', () => {
    const other = came(2, ['a'], ['a', 'b'], 'drop 2')
    expect(after(came(1, [], ['a']), other).done).toHaveLength(2)
    expect(after(came(1, [], ['a']), other, came(3, ['a', 'b'], ['a', 'b', 'c'])).done).toHaveLength(3)
  })

  test('never include changes by others', () => {
    const history = after(came(1, [], ['a']), came(2, ['a', 'theirs'], ['a', 'theirs', 'b']))
    expect(history.done).toHaveLength(2)
  })
})
