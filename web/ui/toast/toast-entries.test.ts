import { describe, expect, test, vi } from 'vitest'
import { createToastEntries } from './toast-entries.ts'

describe('shown and queued toasts', () => {
  test('merge when kind and text are equal, and count repetitions', () => {
    const entries = createToastEntries()
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: false, entry: { times: 2 } })
    expect(entries.join('error', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
  })

  test('with the same ID are one toast with the latest text', () => {
    const entries = createToastEntries()
    entries.join('info', 'Importing 10 %', { id: 'import' })
    expect(entries.join('success', 'Imported', { id: 'import' })).toMatchObject({ isNew: false })
    expect(entries.find('import')).toMatchObject({ kind: 'success', text: 'Imported', times: 1 })
  })

  test('start again once they are closed', () => {
    const entries = createToastEntries()
    const { entry } = entries.join('info', 'Saved', {})
    entries.forget(entry)
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
  })

  test('notify subscribers of every change until they unsubscribe', () => {
    const entries = createToastEntries()
    const heard = vi.fn<() => void>()
    const stop = entries.subscribe(heard)
    entries.join('info', 'Saved', {})
    stop()
    entries.clear()
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
