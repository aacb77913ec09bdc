import { expect, test } from 'vitest'
import { type TourProgress, tourToOffer, withProgress } from './tour-offers.ts'

const met = (tour: string, state: TourProgress['state'], step = 0): TourProgress => ({ tour, version: 1, state, step })

test('a new user is offered the first tour until it is finished or declined', () => {
  expect(tourToOffer([], false)).toMatchObject({ tour: 'first-steps', step: 0 })
  expect(tourToOffer([met('first-steps', 'done')], false)).toBeUndefined()
  expect(tourToOffer([met('first-steps', 'dismissed', 2)], false)).toBeUndefined()
  expect(tourToOffer([{ ...met('first-steps', 'done'), version: 0 }], false)).toMatchObject({ tour: 'first-steps' })
})

test('the tour for owners is offered only to owners, after the first tour', () => {
  expect(tourToOffer([], true)).toMatchObject({ tour: 'first-steps' })
  expect(tourToOffer([met('first-steps', 'dismissed')], true)).toMatchObject({ tour: 'owner' })
  expect(tourToOffer([met('first-steps', 'done'), met('owner', 'done', 3)], true)).toBeUndefined()
})

test('a tour interrupted by a reload resumes at its step', () => {
  const known = withProgress([met('first-steps', 'seen'), met('list', 'done')], met('first-steps', 'seen', 2))
  expect(known).toEqual([met('list', 'done'), met('first-steps', 'seen', 2)])
  expect(tourToOffer(known, false)).toMatchObject({ tour: 'first-steps', step: 2 })
})
