import { expect, test } from 'vitest'
import { describeFailures, describeSuite, describeSummary, sumOf } from './test-summary.ts'

const domain = { suite: 'domain', passed: 3, failed: 0, skipped: 0 }
const browser = { suite: 'browser', notRun: 'no Chromium was found' }

test('lists a suite that can’t run, with the reason', () => {
  expect(describeSuite(browser).replaceAll(/ +/g, ' ')).toBe('browser not run: no Chromium was found')
})

test('the total includes every suite that ran', () => {
  const http = { suite: 'http', passed: 1, failed: 2, skipped: 1 }
  expect(describeSummary(sumOf([domain, browser, http]))).toBe('4 passed, 2 failed, 1 skipped')
})

test('omits the count of skipped tests if it is zero', () => {
  expect(describeSummary(sumOf([domain]))).toBe('3 passed, 0 failed')
})

test('lists tests that passed only on a retry', () => {
  expect(describeSummary(sumOf([domain, { ...domain, retried: 1 }]))).toBe('6 passed (1 on a retry), 0 failed')
})

test('lists failed and retried tests at the end', () => {
  const http = {
    suite: 'http',
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts > one'],
    unsteady: ['b.test.ts > two'],
  }
  expect(describeFailures([domain, browser, http])).toBe(
    'failed        http: a.test.ts > one\nretried       http: b.test.ts > two\n',
  )
})
