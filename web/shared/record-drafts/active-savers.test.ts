import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RecordBody } from '#api/records.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { createConnectionState } from '#web/data/connection/connection-state.ts'
import { createSessionState } from '#web/data/session/session-state.ts'
import { createDraftSaver } from './draft-saver.ts'
import { createActiveSavers } from './active-savers.ts'
import { draftOf, type ShownValues } from './record-draft.ts'

const owner = { userId: 'u', record: 'r' }

/** A simulated tab whose server can be unreachable and rejects empty values. */
function tab() {
  const connection = createConnectionState({ ping: async () => false })
  const session = createSessionState()
  let listening = 0
  const subscribe = (listener: () => void) => {
    const stop = connection.reachable.subscribe(listener)
    listening += 1
    return () => {
      listening -= 1
      stop()
    }
  }
  const held = createActiveSavers({ connection: { reachable: { ...connection.reachable, subscribe } }, session })
  let current: RecordBody = {
    id: 'r',
    version: 1,
    createdAt: '',
    createdBy: null,
    updatedAt: '',
    updatedBy: null,
    values: { title: 'a' },
  }
  const saves: ShownValues[] = []
  const saver = createDraftSaver(draftOf(current), {
    fields: [],
    rules: [],
    checker: () => undefined,
    save: async (_, values) => {
      saves.push(values)
      if (!connection.reachable.get()) throw new CallError('unreachable', 'Can’t reach the server.')
      if (values['title'] === '') {
        const errors = [{ path: 'title', code: 'required', message: 'Title is required.' }]
        throw new CallError('values-invalid', 'No.', { status: 422, errors })
      }
      current = { ...current, version: current.version + 1, values: { ...current.values, ...values } }
      return current
    },
    reload: async () => current,
    keep: () => undefined,
    onStored: () => undefined,
  })
  return { connection, session, held, saver, saves, listening: () => listening, stored: () => current.values }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a record with pending changes reuses its saver', async () => {
  const { connection, held, saver, saves, listening, stored } = tab()
  const leave = held.open(owner, saver)
  connection.lost()
  saver.edit('title', 'b')
  await saver.flush()
  leave()
  expect(held.of(owner)).toBe(saver)
  const leaveAgain = held.open(owner, saver)
  expect(listening()).toBe(1)
  saves.length = 0
  connection.reached()
  await vi.advanceTimersByTimeAsync(0)
  expect(saves).toEqual([{ title: 'b' }])
  expect(stored()).toEqual({ title: 'b' })
  expect(held.of(owner)).toBe(saver)
  leaveAgain()
  expect(held.of(owner)).toBeUndefined()
})

test('a saver is released when its save completes after the record was closed', async () => {
  const { held, saver, listening } = tab()
  const leave = held.open(owner, saver)
  saver.edit('title', 'b')
  const storing = saver.flush()
  leave()
  expect(held.of(owner)).toBe(saver)
  await storing
  expect(held.of(owner)).toBeUndefined()
  expect(listening()).toBe(0)
})

test('a saver with only rejected edits is released', async () => {
  const { held, saver, listening } = tab()
  const leave = held.open(owner, saver)
  saver.edit('title', '')
  await saver.flush()
  leave()
  expect(saver.hasUnsaved()).toBe(true)
  expect(held.of(owner)).toBeUndefined()
  expect(listening()).toBe(0)
})

test('edits of a signed-out user are never saved', async () => {
  const { connection, session, held, saver, saves, listening } = tab()
  const leave = held.open(owner, saver)
  connection.lost()
  saver.edit('title', 'b')
  await saver.flush()
  leave()
  session.reset('expired')
  expect(held.of(owner)).toBe(saver)
  session.reset('signed-out')
  expect(held.of(owner)).toBeUndefined()
  expect(listening()).toBe(0)
  saves.length = 0
  connection.reached()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saves).toEqual([])
})
