import { expect, test, vi } from 'vitest'
import { createVersionState } from './connection-state.ts'

test('a server version that differs from the first one is an update', () => {
  const state = createVersionState()
  const reported = vi.fn<() => void>()
  state.outdated.subscribe(reported)
  state.onVersion('1+a')
  state.onVersion('1+a')
  state.onVersion(null)
  expect([state.outdated.get(), reported.mock.calls.length]).toEqual([false, 0])
  state.onVersion('1+b')
  state.onVersion('1+b')
  expect([state.outdated.get(), reported.mock.calls.length]).toEqual([true, 1])
})

test('returning to the first version is not an update', () => {
  const state = createVersionState()
  for (const version of ['1', '2', '1']) state.onVersion(version)
  expect(state.outdated.get()).toBe(false)
})

test('a hidden update notice is shown again only for a newer version or a missing chunk', () => {
  const state = createVersionState()
  state.onVersion('1')
  state.onVersion('2')
  state.dismiss()
  state.onVersion('2')
  expect(state.outdated.get()).toBe(false)
  state.partIsMissing()
  expect(state.outdated.get()).toBe(true)
  state.dismiss()
  state.onVersion('3')
  expect(state.outdated.get()).toBe(true)
})
