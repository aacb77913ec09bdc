import { describe, expect, test } from 'vitest'
import { nextTourState, type TourEvent, type TourState } from './tour-machine.ts'

function after(...events: TourEvent[]): TourState {
  return events.reduce<TourState>(nextTourState, { status: 'idle' })
}

const start: TourEvent = { type: 'start', tour: 'welcome' }
const found: TourEvent = { type: 'found' }
const missing: TourEvent = { type: 'missing', stepCount: 3 }
const close: TourEvent = { type: 'close', stepCount: 3 }
const go = (to: number): TourEvent => ({ type: 'go', to })

describe('a tour', () => {
  test('shows its first step once the target element is present', () => {
    expect(after(start)).toMatchObject({ status: 'seeking', step: 0 })
    expect(after(start, found)).toEqual({ status: 'showing', tour: 'welcome', step: 0 })
  })

  test('resumes at the step where it was interrupted', () => {
    expect(after({ ...start, from: 2 }, found)).toEqual({ status: 'showing', tour: 'welcome', step: 2 })
  })

  test('shows the current step until the target of the next one is found', () => {
    expect(after(start, found, go(1))).toMatchObject({ status: 'seeking', step: 1, shown: 0 })
  })

  test('skips a step whose target does not appear, in either direction', () => {
    expect(after(start, missing)).toMatchObject({ status: 'seeking', step: 1 })
    expect(after(start, found, go(2), found, go(1), missing)).toMatchObject({ status: 'seeking', step: 0 })
  })

  test("doesn't move if there is no previous step", () => {
    expect(after(start, missing, found, go(0), missing)).toEqual({ status: 'showing', tour: 'welcome', step: 1 })
  })

  test('is completed if its last steps are missing, but never if no step was found', () => {
    expect(after(start, found, go(1), missing, missing)).toEqual({
      status: 'idle',
      ended: { tour: 'welcome', step: 0, how: 'done' },
    })
    expect(after(start, missing, missing, missing)).toEqual({ status: 'idle' })
  })

  test('is completed when closed on its last step, and dismissed when closed earlier', () => {
    expect(after(start, found, go(2), found, close)).toMatchObject({ ended: { step: 2, how: 'done' } })
    expect(after(start, found, close)).toMatchObject({ ended: { step: 0, how: 'dismissed' } })
  })

  test('ignores events if it is not running', () => {
    expect(after(found, missing, close, go(1))).toEqual({ status: 'idle' })
  })
})
