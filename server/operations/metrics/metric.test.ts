import { expect, test } from 'vitest'
import { readMetrics } from '#tests/support/server/read-metrics.ts'
import { createCounter, createHistogram, gauge, printMetrics, total } from './metric.ts'

test('escapes quotes, backslashes and line breaks in labels', () => {
  const word = 'C:\\new "plan"\nof two lines'
  const text = printMetrics([gauge('a_gauge', 'Help with a \\ and a\nbreak.', 1.5, { word })])
  expect(text.split('\n')).toHaveLength(4)
  expect([...readMetrics(text).values()][0]?.samples[0]?.value).toBe(1.5)
  expect(text).toContain('word="C:\\\\new \\"plan\\"\\nof two lines"')
})

test('prints cumulative histogram buckets', () => {
  const watch = createHistogram([0.1, 1])
  for (const seconds of [0.05, 0.1, 0.5, 7]) watch.note({ way: 'up' }, seconds)
  const text = printMetrics([{ name: 'a_time', help: 'Time.', type: 'histogram', spreads: watch.spreads() }])
  expect(text).toBe(
    [
      '# HELP a_time Time.',
      '# TYPE a_time histogram',
      'a_time_bucket{way="up",le="0.1"} 2',
      'a_time_bucket{way="up",le="1"} 3',
      'a_time_bucket{way="up",le="+Inf"} 4',
      'a_time_sum{way="up"} 7.65',
      'a_time_count{way="up"} 4',
      '',
    ].join('\n'),
  )
})

test('omits metrics without samples', () => {
  const nothing = createCounter()
  expect(printMetrics([total('a_total', 'None.', nothing.samples())])).toBe('')
  nothing.add({ way: 'up' }, 2)
  nothing.add({ way: 'up' })
  expect(printMetrics([total('a_total', 'Some.', nothing.samples())])).toContain('a_total{way="up"} 3\n')
})

test('the test parser rejects everything that Prometheus rejects', () => {
  for (const wrong of ['a 1', 'a 1\n', '# HELP a A.\n# TYPE a gauge\nb 1\n', '# HELP a A.\n# TYPE a gauge\na 1\na 1\n'])
    expect(() => readMetrics(wrong)).toThrow()
})
