import { describe, expect, test } from 'vitest'
import type { Field } from '../fields/field.ts'
import { type BoardCard, boardMove, type OfferedTransition } from './board-moves.ts'

const choices = ['open', 'review', 'done'].map((name) => ({ id: name, name, color: 'gray' as const }))
const about = { id: 'f', name: 'status', label: 'Status', required: false, unique: false, default: null }
const select: Field = { ...about, kind: 'select', options: { choices } }
const state: Field = { ...about, kind: 'state', options: { choices } }

const writable: BoardCard = { value: 'open', isWritable: true, offered: undefined }

describe('a board by an ordinary field', () => {
  const rules = { field: select, transitions: undefined }

  test('moves a card to every other column', () => {
    expect(boardMove(rules, writable, 'done')).toEqual({ is: 'change' })
    expect(boardMove(rules, writable, null)).toEqual({ is: 'change' })
  })
  test('leaves a card in its own column', () => {
    expect(boardMove(rules, writable, 'open')).toEqual({ is: 'stay' })
    expect(boardMove(rules, { ...writable, isWritable: false }, 'open')).toEqual({ is: 'stay' })
  })
  test('refuses cards whose field the user can’t edit', () => {
    const card = { ...writable, isWritable: false }
    expect(boardMove(rules, card, 'done')).toEqual({ is: 'refused', because: 'read-only' })
  })
  test('refuses to empty a required field or a status', () => {
    const required = { ...rules, field: { ...select, required: true } }
    expect(boardMove(required, writable, null)).toEqual({ is: 'refused', because: 'required' })
    expect(boardMove({ ...rules, field: state }, writable, null)).toEqual({ is: 'refused', because: 'required' })
  })
})

describe('a board by a status with a workflow', () => {
  const transitions = [
    { name: 'Submit', from: 'open', to: 'review' },
    { name: 'Approve', from: 'review', to: 'done' },
  ]
  const rules = { field: state, transitions }
  const submit: OfferedTransition = { id: 't', name: 'Submit', to: 'review', note: 'required', missing: ['owner'] }

  test('offers the transition with its comment and missing fields', () => {
    const card = { ...writable, offered: [submit] }
    expect(boardMove(rules, card, 'review')).toEqual({ is: 'transition', transition: submit })
  })
  test('doesn’t need permission to edit the field', () => {
    const card = { ...writable, isWritable: false, offered: [submit] }
    expect(boardMove(rules, card, 'review').is).toBe('transition')
  })
  test('refuses columns without a transition, even before the available transitions are loaded', () => {
    expect(boardMove(rules, writable, 'done')).toEqual({ is: 'refused', because: 'no-transition' })
    expect(boardMove(rules, { ...writable, offered: [submit] }, null)).toEqual({
      is: 'refused',
      because: 'no-transition',
    })
  })
  test('names a transition that isn’t available to the user or for the record', () => {
    expect(boardMove(rules, { ...writable, offered: [] }, 'review')).toEqual({
      is: 'refused',
      because: 'unavailable',
      transition: 'Submit',
    })
  })
  test('doesn’t decide before the available transitions are loaded', () => {
    expect(boardMove(rules, writable, 'review')).toEqual({ is: 'unknown' })
  })
})
