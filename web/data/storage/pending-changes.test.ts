import { expect, test, vi } from 'vitest'
import { createPendingChanges } from '#web/data/connection/connection-state.ts'

test('the total of pending changes across all sources is reported only when it changes', () => {
  const unsent = createPendingChanges()
  const listener = vi.fn<() => void>()
  const stop = unsent.subscribe(listener)
  unsent.tell('a record', 2)
  unsent.tell('a list', 1)
  unsent.tell('a list', 1)
  expect([unsent.get(), listener.mock.calls.length]).toEqual([3, 2])
  unsent.tell('a record', 0)
  unsent.tell('another', 0)
  expect([unsent.get(), listener.mock.calls.length]).toEqual([1, 3])
  stop()
  unsent.tell('a list', 0)
  expect([unsent.get(), listener.mock.calls.length]).toEqual([0, 3])
})
