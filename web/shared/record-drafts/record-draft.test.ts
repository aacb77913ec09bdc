import { describe, expect, test } from 'vitest'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import {
  draftOf,
  edited,
  withInputError,
  failed,
  editsToStore,
  withConflicts,
  refreshed,
  withErrors,
  resumed,
  sendable,
  sending,
  settled,
  statusOf,
  stored,
  draftValue,
} from './record-draft.ts'

const base = { required: false, unique: false, default: null }
const fields: readonly Field[] = [
  { ...base, id: '1', name: 'title', label: 'Title', kind: 'text', options: {} },
  { ...base, id: '2', name: 'amount', label: 'Amount', kind: 'number', options: {} },
  { ...base, id: '3', name: 'owner', label: 'Owner', kind: 'relation', options: { collection: 'c', many: false } },
  { ...base, id: '4', name: 'notes', label: 'Notes', kind: 'rich-text', options: {} },
]

const record = (version: number, values: { readonly [field: string]: unknown }): RecordBody => ({
  id: 'r',
  version,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: null,
  values: { ...values },
})

const start = draftOf(record(1, { title: 'a', amount: 1, owner: { id: 'o', title: 'Ann' }, notes: null }))

describe('record draft', () => {
  test('shows an edit and marks it for saving', () => {
    const draft = edited(start, 'title', 'b')
    expect(draftValue(draft, 'title')).toBe('b')
    expect(draftValue(draft, 'amount')).toBe(1)
    expect(sendable(draft)).toEqual({ title: 'b' })
    expect(statusOf(draft)).toBe('waiting')
  })

  test('is saved when the response arrives and there are no newer edits', () => {
    const values = { title: 'b' }
    const draft = stored(
      sending(edited(start, 'title', 'b'), values),
      record(2, { title: 'b', amount: 1, owner: 'o', notes: null }),
      values,
    )
    expect(statusOf(draft)).toBe('saved')
    expect(draft.base.version).toBe(2)
  })

  test('keeps edits made during a save', () => {
    const values = { title: 'b' }
    const writing = edited(sending(edited(start, 'title', 'b'), values), 'title', 'bc')
    const draft = stored(writing, record(2, { title: 'b', amount: 1, owner: 'o', notes: null }), values)
    expect(draftValue(draft, 'title')).toBe('bc')
    expect(statusOf(draft)).toBe('waiting')
  })

  test('keeps the node identities of stored documents and the names of linked records', () => {
    const notes = { type: 'doc', content: [{ type: 'paragraph' }] }
    const answer = record(2, { title: 'a', amount: 1, owner: 'o', notes: structuredClone(notes) })
    const draft = stored(sending(edited(start, 'notes', notes), { notes }), answer, { notes })
    expect(draftValue(draft, 'notes')).toBe(notes)
    expect(draftValue(draft, 'owner')).toEqual({ id: 'o', title: 'Ann' })
  })

  test('keeps all edits if the request failed', () => {
    const draft = failed(sending(edited(start, 'title', 'b'), { title: 'b' }), { title: 'Offline', detail: '' })
    expect(statusOf(draft)).toBe('failed')
    expect(sendable(draft)).toEqual({ title: 'b' })
  })

  test('keeps the names of linked records after saving other fields', () => {
    const bob = [{ id: 'b', title: 'Bob' }]
    const pointed = stored(edited(start, 'owner', bob), record(2, { title: 'a', owner: 'b' }), { owner: bob })
    const later = stored(edited(pointed, 'title', 'b'), record(3, { title: 'b', owner: 'b' }), { title: 'b' })
    expect(draftValue(later, 'owner')).toEqual(bob)
  })
})

describe('a rejected value', () => {
  test('is kept and does not block other edits', () => {
    const both = edited(edited(start, 'title', ''), 'amount', 5)
    const draft = withErrors(both, [{ path: 'title', code: 'required', message: 'Title is required.' }], both.edits)
    expect(draft.errors).toEqual({ title: 'Title is required.' })
    expect(sendable(draft)).toEqual({ amount: 5 })
  })

  test('includes invalid input until it is edited', () => {
    const draft = withInputError(edited(start, 'amount', 14), 'amount', 'Must be at most 100.')
    expect(sendable(draft)).toBeUndefined()
    expect(statusOf(draft)).toBe('invalid')
    expect(sendable(edited(draft, 'amount', 15))).toEqual({ amount: 15 })
  })

  test('is sent again when it changes', () => {
    const empty = edited(start, 'title', '')
    const draft = edited(
      withErrors(empty, [{ path: 'title', code: 'required', message: 'x' }], empty.edits),
      'title',
      'c',
    )
    expect(draft.errors).toEqual({})
    expect(sendable(draft)).toEqual({ title: 'c' })
  })
})

describe('a concurrent save by another user', () => {
  const theirs = record(5, { title: 'theirs', amount: 1, owner: { id: 'p', title: 'Paul' }, notes: null })

  test('merges changes to different fields', () => {
    const draft = withConflicts(edited(start, 'amount', 7), theirs, fields)
    expect(draft.conflicts).toEqual({})
    expect(draftValue(draft, 'title')).toBe('theirs')
    expect(sendable(draft)).toEqual({ amount: 7 })
    expect(draft.base.version).toBe(5)
  })

  test('conflicts if it changed the same field, until the user resolves the conflict', () => {
    const draft = withConflicts(edited(start, 'title', 'mine'), theirs, fields)
    expect(draft.conflicts).toEqual({ title: 'theirs' })
    expect(sendable(draft)).toBeUndefined()
    expect(statusOf(draft)).toBe('conflict')
    expect(sendable(settled(draft, 'title', 'mine'))).toEqual({ title: 'mine' })
    const given = settled(draft, 'title', 'theirs')
    expect(draftValue(given, 'title')).toBe('theirs')
    expect(statusOf(given)).toBe('saved')
  })

  test("merges added files, with the user's own last", () => {
    const file = (id: string) => ({
      id,
      name: id,
      type: '',
      bytes: 1,
      width: null,
      height: null,
      url: '',
      thumbUrl: null,
    })
    const holding = (version: number, ...ids: string[]) => record(version, { plans: ids.map(file) })
    const overtakenBy = (mine: readonly string[], theirs: readonly string[]) =>
      withConflicts(edited(draftOf(holding(1, 'old')), 'plans', mine.map(file)), holding(2, ...theirs), [
        { ...base, id: '5', name: 'plans', label: 'Plans', kind: 'files', options: {} },
      ])
    const both = overtakenBy(['old', 'mine', 'same'], ['old', 'theirs', 'same'])
    expect(both.conflicts).toEqual({})
    expect(sendable(both)).toEqual({ plans: ['old', 'theirs', 'same', 'mine'].map(file) })
    // Files removed by others stay removed; the user's own removals may conflict.
    expect(sendable(overtakenBy(['old', 'mine'], []))).toEqual({ plans: [file('mine')] })
    expect(statusOf(overtakenBy(['mine'], ['old', 'theirs']))).toBe('conflict')
  })

  test('does not conflict if both values are equal', () => {
    const draft = withConflicts(edited(start, 'owner', [{ id: 'p', title: 'P.' }]), theirs, fields)
    expect(draft.conflicts).toEqual({})
    expect(statusOf(draft)).toBe('saved')
  })

  test('is applied on refresh unless it is older', () => {
    expect(refreshed(start, theirs, fields).base.version).toBe(5)
    expect(refreshed(draftOf(theirs), start.base, fields).base.version).toBe(5)
  })
})

describe('edits restored from an earlier visit', () => {
  test('are restored if the record is unchanged', () => {
    const draft = resumed(start.base, { version: 1, edits: { title: 'kept' } }, fields)
    expect(draftValue(draft, 'title')).toBe('kept')
    expect(sendable(draft)).toEqual({ title: 'kept' })
  })

  test('conflict if the record has changed, unless the values are equal', () => {
    const draft = resumed(
      record(9, { title: 'x', amount: 2, owner: null, notes: null }),
      { version: 1, edits: { title: 'kept', amount: 2 } },
      fields,
    )
    expect(draft.conflicts).toEqual({ title: 'x' })
    expect(Object.keys(draft.edits)).toEqual(['title'])
  })

  test('still conflict if they conflicted before', () => {
    const theirs = record(5, { title: 'theirs', amount: 1, owner: null, notes: null })
    const left = withConflicts(edited(edited(start, 'title', 'mine'), 'amount', 7), theirs, fields)
    const draft = resumed(theirs, editsToStore(left), fields)
    expect(draft.conflicts).toEqual({ title: 'theirs' })
    expect(draftValue(draft, 'title')).toBe('mine')
    expect(sendable(draft)).toEqual({ amount: 7 })
    expect(sendable(resumed(theirs, editsToStore(settled(left, 'title', 'mine')), fields))).toEqual({
      title: 'mine',
      amount: 7,
    })
  })
})
