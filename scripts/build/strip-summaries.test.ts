import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stripSummaryLines } from './strip-summaries.ts'

test('removes every endpoint summary and nothing else', () => {
  const files = readdirSync('api').filter((name) => name.endsWith('.ts') && name !== 'endpoint.ts')
  for (const name of files) {
    const source = readFileSync(`api/${name}`, 'utf8')
    const left = stripSummaryLines(source)
    expect(left, name).not.toMatch(/\bsummary:/)
    expect(left.match(/\bpath:/g), name).toEqual(source.match(/\bpath:/g))
  }
})
