import { expect, test } from 'vitest'
import type { RecordBody } from '#api/records.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { createStore } from '#web/ui/store.ts'
import { createUnsentQueue, type UnsentDeps } from './unsent-queue.ts'
import type { UnsentRecord, UnsentState } from './unsent-state.ts'

const bodyOf = (id: string, values: object = {}): RecordBody => ({
  id,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'ada',
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: 'ada',
  values: { ...values },
})

const unsent = (id: string, values: object = { title: id }, userId = 'ada'): UnsentRecord => ({
  userId,
  collection: 'tasks',
  body: bodyOf(id, values),
  values: { ...values },
  tried: null,
  failure: null,
})

const unreachable = () => new CallError('unreachable', 'No connection.')
const forbidden = () => new CallError('forbidden', 'You may not.', { status: 403 })

/** A queue with in-memory storage; the server first fails with the errors in `failures`. */
function aQueue(deps: Partial<UnsentDeps> = {}) {
  const disk = new Map<string, UnsentRecord>()
  const failures: CallError[] = []
  const sent: string[] = []
  const state = createStore<UnsentState>({ records: [], isSending: false, sentAs: new Map() })
  const server = <Answer>(line: string, answer: Answer): Promise<Answer> => {
    sent.push(line)
    const failure = failures.shift()
    return failure ? Promise.reject(failure) : Promise.resolve(answer)
  }
  const queue = createUnsentQueue({
    state,
    storage: {
      all: async () => {
        const all = [...disk.values()]
        // The result of a read arrives after writes that started later.
        await new Promise(setImmediate)
        return all
      },
      put: async (record) => void disk.set(record.body.id, record),
      drop: async (id) => void disk.delete(id),
    },
    userId: () => 'ada',
    create: ({ body, values }) =>
      server(`create ${body.id} ${JSON.stringify(values)}`, bodyOf(`server-${body.id}`, values)),
    update: (record, values) => server(`update ${record.id} ${JSON.stringify(values)}`, record),
    onSent: async () => undefined,
    describe: (error) => ({ title: 'Refused', detail: String(error) }),
    ...deps,
  })
  return { queue, state, disk, failures, sent }
}

test('offline records are sent in order, and their server IDs are stored', async () => {
  const { queue, state, disk, sent } = aQueue()
  for (const id of ['1', '2', '3']) await queue.keep(unsent(id))
  await queue.send()
  expect(sent.map((line) => line.split(' ')[1])).toEqual(['1', '2', '3'])
  expect(state.get().sentAs.get('2')).toBe('server-2')
  expect(disk.size).toBe(0)
})

test('all unsent records and their order are kept when the connection is lost', async () => {
  const { queue, disk, failures, sent } = aQueue()
  for (const id of ['1', '2']) await queue.keep(unsent(id))
  failures.push(unreachable())
  await queue.send()
  expect([...disk.keys()]).toEqual(['1', '2'])
  await queue.send()
  expect(sent.map((line) => line.split(' ')[1])).toEqual(['1', '1', '2'])
})

test('changes made after a lost response are kept', async () => {
  const { queue, failures, sent } = aQueue()
  await queue.keep(unsent('1', { title: 'first' }))
  failures.push(unreachable())
  await queue.send()
  await queue.merge('1', { title: 'second' })
  await queue.send()
  expect(sent).toEqual([
    'create 1 {"title":"first"}',
    'create 1 {"title":"first"}',
    'update server-1 {"title":"second"}',
  ])
})

test('a rejected record is kept with its reason, others are sent, and editing it sends it again', async () => {
  const { queue, state, disk, failures, sent } = aQueue()
  for (const id of ['1', '2']) await queue.keep(unsent(id))
  failures.push(forbidden())
  await queue.send()
  expect([...disk.keys()]).toEqual(['1'])
  expect(state.get().records[0]?.failure?.detail).toContain('You may not.')
  await queue.send()
  expect(sent).toHaveLength(2)
  await queue.merge('1', { title: 'corrected' })
  await queue.send()
  expect(sent.at(-1)).toBe('create 1 {"title":"corrected"}')
  expect(disk.size).toBe(0)
})

test('an edit during a sync is sent after the sync', async () => {
  const { queue } = aQueue()
  await queue.keep(unsent('1'))
  const sending = queue.send()
  expect(await queue.merge('1', { title: 'late' })).toBeUndefined()
  await sending
})

test('records of another user are not shown, sent or deleted', async () => {
  const { queue, state, disk, sent } = aQueue()
  disk.set('1', unsent('1', {}, 'grace'))
  await queue.load()
  await queue.send()
  expect([state.get().records, sent, disk.size]).toEqual([[], [], 1])
})

test('loading stored records never undoes an edit made in the meantime', async () => {
  const { queue, state } = aQueue()
  await queue.keep(unsent('1', { title: 'Tower' }))
  await Promise.all([queue.load(), queue.merge('1', { place: 'Wells' })])
  await queue.merge('1', { photos: [] })
  expect(state.get().records[0]?.values).toEqual({ title: 'Tower', place: 'Wells', photos: [] })
})

test('an edit made just before sending starts is sent', async () => {
  const { queue, sent } = aQueue()
  await queue.keep(unsent('1', { title: 'Tower' }))
  await Promise.all([queue.merge('1', { place: 'Wells' }), queue.send()])
  expect(sent.join()).toContain('"place":"Wells"')
})

test('an edit keeps what another tab has changed', async () => {
  const { queue, disk } = aQueue()
  await queue.keep(unsent('1', { title: 'Tower' }))
  disk.set('1', unsent('1', { title: 'Tower', place: 'Wells' }))
  await queue.merge('1', { photos: [] })
  expect(disk.get('1')?.values).toEqual({ title: 'Tower', place: 'Wells', photos: [] })
})
