import { expect, test, vi } from 'vitest'
import { createVersionState } from './connection-state.ts'

test('the first version is that of the page, and another one is an update', () => {
  const state = createVersionState()
  const told = vi.fn<() => void>()
  state.outdated.subscribe(told)
  state.heard('1+a')
  state.heard('1+a')
  state.heard(null)
  expect([state.outdated.get(), told.mock.calls.length]).toEqual([false, 0])
  state.heard('1+b')
  state.heard('1+b')
  expect([state.outdated.get(), told.mock.calls.length]).toEqual([true, 1])
})

test('returning to the first version is no update', () => {
  const state = createVersionState()
  for (const version of ['1', '2', '1']) state.heard(version)
  expect(state.outdated.get()).toBe(false)
})

test('after it was hidden, only a newer version or a missing chunk shows the notice again', () => {
  const state = createVersionState()
  state.heard('1')
  state.heard('2')
  state.dismiss()
  state.heard('2')
  expect(state.outdated.get()).toBe(false)
  state.partIsMissing()
  expect(state.outdated.get()).toBe(true)
  state.dismiss()
  state.heard('3')
  expect(state.outdated.get()).toBe(true)
})
