import { describe, expect, test, vi } from 'vitest'
import { createToastEntries, staysAfterLeavingMs } from './toast-entries.ts'

describe('shown and queued toasts', () => {
  test('are merged if their type and text are equal, and repetitions are counted', () => {
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

  test('are shown again after they are closed', () => {
    const entries = createToastEntries()
    const { entry } = entries.join('info', 'Saved', {})
    entries.forget(entry)
    expect(entries.join('info', 'Saved', {})).toMatchObject({ isNew: true, entry: { times: 1 } })
  })

  test('are shown as new toasts if an equal one is fading out', () => {
    const entries = createToastEntries()
    const { entry: fading } = entries.join('info', 'Saved', {})
    entries.dismiss(fading.id)
    const { entry, isNew } = entries.join('info', 'Saved', {})
    expect(isNew).toBe(true)
    expect(entry).toMatchObject({ times: 1, isDismissed: false })
    expect(entry.toastId).not.toBe(fading.toastId)
    entries.forget(fading)
    expect(entries.find(entry.id)).toEqual(entry)
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

describe('a toast after the user leaves its page', () => {
  const entries = createToastEntries()
  const action = { label: 'Undo', run: () => undefined }
  const shownAt = 1_000_000
  const left = (kind: 'success' | 'error', ageMs: number, request = {}) =>
    staysAfterLeavingMs(entries.join(kind, 'Text', request, shownAt).entry, shownAt + ageMs)

  test('is removed, unless the action that opened the next page showed it', () => {
    expect(left('success', 3000)).toBe(0)
    expect(left('success', 200)).toBe(Number.POSITIVE_INFINITY)
  })

  test('remains visible long enough to undo an action or to read an error', () => {
    expect(left('success', 3000, { action })).toBe(7000)
    expect(left('error', 4000)).toBe(6000)
    expect(left('success', 60_000, { action })).toBe(0)
  })

  test('remains visible if it reports background work', () => {
    expect(left('success', 60_000, { isAboutWorkspace: true })).toBe(Number.POSITIVE_INFINITY)
  })
})
