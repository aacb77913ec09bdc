import { describe, expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { createCellEdits } from '#web/shared/cell-editing/store/cell-edits.ts'
import { createCellWriter, type WriterNotification } from './cell-writer.ts'
import type { Operation, WriteResult } from './write-cells.ts'

const about = { required: false, unique: false, default: null, options: {} }
const FIELDS: readonly Field[] = ['a', 'b'].map((name) => ({ ...about, id: name, name, label: name, kind: 'number' }))

const record = (id: string, values: RecordListItem['values'], version = 1): RecordListItem => ({
  id,
  version,
  createdAt: '',
  createdBy: null,
  updatedAt: '',
  updatedBy: null,
  values,
})

/** An in-memory server with atomic operations and version checks. */
function setUp() {
  const rows = new Map([1, 2, 3].map((n) => [`r${n}`, record(`r${n}`, { a: n, b: n })]))
  const answers: WriteResult[] = []
  const reported: WriterNotification[] = []
  let made = 0
  const put = (id: string, values: RecordListItem['values']) => {
    const before = rows.get(id)
    if (before) rows.set(id, record(id, { ...before.values, ...values }, before.version + 1))
  }
  const write = (operation: Operation, versions: ReadonlyMap<string, number>): WriteResult => {
    const ready = answers.shift()
    if (ready) return ready
    const isStale = operation.changes.some(({ record: id }) => rows.get(id)?.version !== versions.get(id))
    if (isStale || operation.remove.some((id) => !rows.has(id))) return { is: 'overtaken' }
    const byId = Map.groupBy(operation.changes, ({ record: id }) => id)
    for (const [id, changes] of byId) put(id, Object.fromEntries(changes.map(({ field, is }) => [field, is])))
    for (const id of operation.remove) rows.delete(id)
    const created = operation.make.map(({ values }) => {
      const id = `m${(made += 1)}`
      rows.set(id, record(id, { ...values }))
      return id
    })
    return { is: 'done', created }
  }
  const edits = createCellEdits()
  let owner: 'here' | 'away' | 'gone' = 'here'
  let cameBack = () => {}
  const writer = createCellWriter(edits, {
    fields: () => FIELDS,
    write: (operation, versions) => Promise.resolve(write(operation, versions)),
    read: (ids) => Promise.resolve(ids.flatMap((id) => rows.get(id) ?? [])),
    untilReachable: () => Promise.resolve(),
    owner: () => owner,
    untilOwner: () => new Promise((resolve) => (cameBack = resolve)),
    tell: (news) => void reported.push(news),
    onStored: () => undefined,
    now: () => '2026-01-01T00:00:00.000Z',
  })
  const seen = new Map(rows)
  const shown = (id: string) => {
    const row = seen.get(id)
    return row && (edits.over(row)?.record.values ?? row.values)
  }
  const act = (...cells: readonly (readonly [string, string, unknown])[]) => {
    const changes = cells.map(([id, field, is]) => ({ record: id, field, was: shown(id)?.[field] ?? null, is }))
    const versions = new Map(cells.map(([id]) => [id, seen.get(id)?.version ?? 1]))
    return writer.act('edit', { changes, make: [], remove: [] }, versions)
  }
  const make = (...values: readonly RecordListItem['values'][]) =>
    writer.act('make', { changes: [], make: values.map((each) => ({ values: each })), remove: [] }, new Map())
  const leave = (how: 'away' | 'gone') => {
    owner = how
  }
  const come = (who: 'here' | 'gone') => {
    owner = who
    cameBack()
  }
  const values = () => Object.fromEntries([...rows].map(([id, row]) => [id, row.values]))
  return { rows, put, answers, reported, edits, writer, shown, act, make, values, leave, come }
}

describe('cell edits', () => {
  test('are shown immediately, saved in order, and can be undone and redone', async () => {
    const { writer, act, make, shown, values, reported } = setUp()
    const first = values()
    void act(['r1', 'a', 10], ['r2', 'a', 10])
    expect(shown('r1')).toEqual({ a: 10, b: 1 })
    void act(['r1', 'a', 20])
    void act(['r1', 'b', 30])
    await make({ a: 7 })
    const last = values()
    expect(last).toMatchObject({ r1: { a: 20, b: 30 }, r2: { a: 10, b: 2 }, m1: { a: 7 } })

    while (writer.undo()) continue
    await writer.settled()
    expect(values()).toEqual(first)
    while (writer.redo()) continue
    await writer.settled()
    expect(Object.values(values())).toEqual(Object.values(last))
    expect(reported.every(({ is }) => is === 'done')).toBe(true)
    while (writer.undo()) continue
    await writer.settled()
    expect(values()).toEqual(first)
  })

  test('are reverted as a whole if rejected, with errors and no undo step', async () => {
    const { writer, act, answers, shown, edits, rows, reported } = setUp()
    const fault = { record: 'r2', field: 'a', message: 'Too many.' }
    answers.push({ is: 'refused', title: 'No', detail: 'Nothing was saved.', faults: [fault] })
    await act(['r1', 'a', 10], ['r2', 'a', 10])
    expect([shown('r1'), shown('r2')]).toEqual([rows.get('r1')?.values, rows.get('r2')?.values])
    const second = rows.get('r2')
    expect(second && edits.over(second)?.faults).toEqual({ a: { message: 'Too many.', refused: 10 } })
    expect(reported).toEqual([
      { is: 'refused', name: 'edit', title: 'No', detail: 'Nothing was saved.', faults: [fault] },
    ])
    expect(writer.undo()).toBe(false)
  })

  test('are saved even if someone else changed another cell', async () => {
    const { act, put, values, reported } = setUp()
    put('r1', { b: 99 })
    await act(['r1', 'a', 10])
    expect(values()).toMatchObject({ r1: { a: 10, b: 99 } })
    expect(reported.map(({ is }) => is)).toEqual(['done'])
  })

  test("never overwrite someone else's change to the cell", async () => {
    const { act, put, values, shown, reported, rows } = setUp()
    put('r1', { a: 99 })
    rows.delete('r3')
    await act(['r1', 'a', 10], ['r2', 'a', 10], ['r3', 'a', 10])
    expect(values()).toEqual({ r1: { a: 99, b: 1 }, r2: { a: 2, b: 2 } })
    expect(shown('r1')).toEqual({ a: 99, b: 1 })
    expect(reported).toMatchObject([
      { is: 'refused', faults: [{ record: 'r1' }, { record: 'r3', message: 'This record no longer exists.' }] },
    ])
  })

  test('are undone only in cells that still have the new value, and the others are counted', async () => {
    const { writer, act, put, values, reported } = setUp()
    await act(['r1', 'a', 10], ['r2', 'a', 10])
    put('r1', { a: 99 })
    writer.undo()
    await writer.settled()
    expect(values()).toMatchObject({ r1: { a: 99 }, r2: { a: 2 } })
    expect(reported.at(-1)).toMatchObject({ is: 'done', name: 'undo', left: 1 })
    writer.redo()
    await writer.settled()
    expect(values()).toMatchObject({ r1: { a: 99 }, r2: { a: 10 } })
  })

  test('are queued while the server is unreachable, and sent only once', async () => {
    const { act, answers, values, reported, shown } = setUp()
    answers.push({ is: 'unreachable' }, { is: 'unreachable' })
    const end = act(['r1', 'a', 10])
    expect(shown('r1')).toEqual({ a: 10, b: 1 })
    await end
    expect(values()).toMatchObject({ r1: { a: 10 } })
    expect(reported.map(({ is }) => is)).toEqual(['waiting', 'back', 'done'])
  })

  test("that were saved without a response aren't mistaken for someone else's", async () => {
    const { act, answers, put, values, reported } = setUp()
    answers.push({ is: 'unreachable' })
    put('r1', { a: 10 })
    await act(['r1', 'a', 10])
    expect(values()).toMatchObject({ r1: { a: 10 } })
    expect(reported.map(({ is }) => is)).toEqual(['waiting', 'back', 'done'])
  })

  test('never create a record twice', async () => {
    const { make, answers, rows, reported } = setUp()
    answers.push({ is: 'unreachable' })
    await make({ a: 1 })
    expect(rows.size).toBe(3)
    expect(reported).toMatchObject([{ is: 'refused', title: 'Can’t reach the server' }])
  })

  test('can undo creating a record before it is saved', async () => {
    const { writer, make, rows } = setUp()
    void make({ a: 7 })
    writer.undo()
    await writer.settled()
    expect(rows.size).toBe(3)
    writer.redo()
    writer.undo()
    await writer.settled()
    expect(rows.size).toBe(3)
    for (const again of [writer.redo, writer.undo, writer.redo]) again()
    await writer.settled()
    expect(rows.size).toBe(4)
    writer.undo()
    await writer.settled()
    expect(rows.size).toBe(3)
  })

  test('can still be undone after a failed undo', async () => {
    const { writer, act, answers, values } = setUp()
    await act(['r1', 'a', 10])
    answers.push({ is: 'refused', title: 'No', detail: '', faults: [] })
    writer.undo()
    await writer.settled()
    expect(values()).toMatchObject({ r1: { a: 10 } })
    writer.undo()
    await writer.settled()
    expect(values()).toMatchObject({ r1: { a: 1 } })
  })

  test('are never saved as another user', async () => {
    const { act, leave, values, reported } = setUp()
    const before = values()
    leave('gone')
    await act(['r1', 'a', 10])
    expect(values()).toEqual(before)
    expect(reported).toMatchObject([{ is: 'refused' }])
  })

  test('are kept when the session ends, and saved after the same user signs in', async () => {
    const { act, leave, come, answers, values, shown, reported, writer } = setUp()
    answers.push({ is: 'signed-out' })
    leave('away')
    void act(['r1', 'a', 10])
    void act(['r2', 'a', 20])
    await Promise.resolve()
    expect([shown('r1'), shown('r2')]).toMatchObject([{ a: 10 }, { a: 20 }])
    come('here')
    await writer.settled()
    expect(values()).toMatchObject({ r1: { a: 10 }, r2: { a: 20 } })
    expect(reported.map(({ is }) => is)).not.toContain('refused')
    expect(reported).toContainEqual({ is: 'back' })
  })

  test('are discarded when another user signs in', async () => {
    const { act, leave, come, values, reported, writer } = setUp()
    const before = values()
    leave('away')
    void act(['r1', 'a', 10])
    await Promise.resolve()
    come('gone')
    await writer.settled()
    expect(values()).toEqual(before)
    expect(reported.map(({ is }) => is)).toEqual(['waiting', 'refused'])
  })
})
