import { expect, test } from 'vitest'
import { DEFAULT_SESSION_POLICY } from '#domain/sessions/session-policy.ts'
import {
  isSamePolicy,
  minutesOptions,
  overriddenHint,
  withMinutes,
} from '#web/features/workspace/session-policy-panel.tsx'

const labels = (...requested: Parameters<typeof minutesOptions>) =>
  minutesOptions(...requested).map(({ label }) => label)

test('session options are limited by the maximum', () => {
  expect(labels('remembered', 'idleMinutes', 10_080).at(-1)).toBe('7 days')
  expect(labels('remembered', 'longestMinutes', 43_200).at(-1)).toBe('30 days')
  expect(labels('notRemembered', 'longestMinutes', 1440)[0]).toBe('5 minutes')
  expect(labels('notRemembered', 'longestMinutes', 1440).at(-1)).toBe('1 day')
})

test('a custom session value is listed in numeric order', () => {
  expect(labels('notRemembered', 'idleMinutes', 90).slice(3, 6)).toEqual(['1 hour', '90 minutes', '2 hours'])
})

test('an overridden session value is shown with the effective one', () => {
  const short = withMinutes(DEFAULT_SESSION_POLICY, ['remembered', 'idleMinutes'], 60)
  expect(isSamePolicy(short, DEFAULT_SESSION_POLICY)).toBe(false)
  expect(overriddenHint(short, 'notRemembered', 'idleMinutes')).toBe(
    'The shorter limit above also applies here: 1 hour.',
  )
  expect(overriddenHint(short, 'notRemembered', 'longestMinutes')).toBeUndefined()
  expect(overriddenHint(DEFAULT_SESSION_POLICY, 'notRemembered', 'idleMinutes')).toBeUndefined()
})
