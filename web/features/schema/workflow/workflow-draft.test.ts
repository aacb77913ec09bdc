import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { firstWorkflow, describeTransition, newTransition } from './workflow-draft.ts'

const state: Field<'state'> = {
  id: 's',
  name: 'state',
  label: 'State',
  kind: 'state',
  required: false,
  unique: false,
  default: null,
  options: {
    choices: ['Draft', 'In review', 'Final'].map((name) => ({ id: name.toLowerCase(), name, color: 'gray' })),
  },
}

describe('the initial workflow', () => {
  test('has a transition from each status to the next', () => {
    expect(firstWorkflow(state).transitions.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['In review', 'draft', 'in review'],
      ['Final', 'in review', 'final'],
    ])
  })

  test('has no transitions if there is only one status', () => {
    const one = { ...state, options: { choices: state.options.choices.slice(0, 1) } }
    expect(firstWorkflow(one).transitions).toEqual([])
  })
})

describe('the description of a transition', () => {
  const said = (part: object): string =>
    describeTransition({ ...newTransition('draft'), ...part }, (role) => role.toUpperCase())

  test('names roles and requirements', () => {
    expect(said({})).toBe('Everyone who can change status')
    expect(said({ roles: ['chief', 'editor'], note: 'required' })).toBe('CHIEF, EDITOR · required comment')
    expect(said({ when: { all: [] }, note: 'optional' })).toBe(
      'Everyone who can change status · conditional · optional comment',
    )
  })
})
