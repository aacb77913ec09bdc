import { expect, test, vi } from 'vitest'
import { createEmitter, createStore } from './store.ts'

test('a store notifies subscribers of new states until they unsubscribe', () => {
  const store = createStore(1)
  const listener = vi.fn<() => void>()
  const unsubscribe = store.subscribe(listener)
  store.set(2)
  store.set(2)
  expect([store.get(), store.hasListeners(), listener.mock.calls.length]).toEqual([2, true, 1])
  unsubscribe()
  store.set(3)
  expect([store.get(), store.hasListeners(), listener.mock.calls.length]).toEqual([3, false, 1])
})

test('a buffered emitter delivers earlier events to its first listener', () => {
  const emitter = createEmitter<string>({ isBuffered: true })
  const received: string[] = []
  emitter.emit('missed')
  emitter.subscribe((event) => received.push(event))
  emitter.emit('heard')
  expect(received).toEqual(['missed', 'heard'])
})

test('an emitter discards events without a listener', () => {
  const emitter = createEmitter<string>()
  const received: string[] = []
  emitter.emit('missed')
  emitter.subscribe((event) => received.push(event))
  expect(received).toEqual([])
})
