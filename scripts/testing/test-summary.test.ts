import { expect, test } from 'vitest'
import { describeFailures, describeSuite, describeSummary, sumOf } from './test-summary.ts'

const domain = { suite: 'domain', passed: 3, failed: 0, skipped: 0 }
const browser = { suite: 'browser', notRun: 'no Chromium was found' }

test('a suite that cannot run here is named with its reason', () => {
  expect(describeSuite(browser).replaceAll(/ +/g, ' ')).toBe('browser not run: no Chromium was found')
})

test('the sum counts every suite that ran', () => {
  const http = { suite: 'http', passed: 1, failed: 2, skipped: 1 }
  expect(describeSummary(sumOf([domain, browser, http]))).toBe('4 passed, 2 failed, 1 skipped')
})

test('what was not skipped is not mentioned', () => {
  expect(describeSummary(sumOf([domain]))).toBe('3 passed, 0 failed')
})

test('what passed only at a second try is said', () => {
  expect(describeSummary(sumOf([domain, { ...domain, retried: 1 }]))).toBe('6 passed (1 at a second try), 0 failed')
})

test('what failed or needed a second try is named once more at the end', () => {
  const http = {
    suite: 'http',
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts > one'],
    unsteady: ['b.test.ts > two'],
  }
  expect(describeFailures([domain, browser, http])).toBe(
    'failed        http: a.test.ts > one\nsecond try    http: b.test.ts > two\n',
  )
})
