import { describe, expect, test, vi } from 'vitest'
import { createToastEntries } from './toast-entries.ts'

describe('the toasts that are shown or waiting', () => {
  test('join when kind and words are the same, and count how often', () => {
    const entries = createToastEntries()
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: false, entry: { times: 2 } })
    expect(entries.join('error', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
  })

  test('with one id are one toast whose words are the latest', () => {
    const entries = createToastEntries()
    entries.join('info', 'Importing 10 %', { id: 'import' })
    expect(entries.join('success', 'Imported', { id: 'import' })).toMatchObject({ isNew: false })
    expect(entries.get('import')).toMatchObject({ kind: 'success', text: 'Imported', times: 1 })
  })

  test('begin anew once they are gone', () => {
    const entries = createToastEntries()
    const { entry } = entries.join('info', 'Saved', {})
    entries.forget(entry)
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
  })

  test('tell those who listen of every change, until they stop listening', () => {
    const entries = createToastEntries()
    const heard = vi.fn<() => void>()
    const stop = entries.subscribe(heard)
    entries.join('info', 'Saved', {})
    stop()
    entries.clear()
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
