import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Number of ASVS 5.0 requirements at levels 1 and 2. */
const REQUIREMENTS_OF_LEVEL_2 = 253

const read = (file: string): string => readFileSync(file, 'utf8')

/** Code spans that look like file paths. */
function filesIn(text: string): string[] {
  const marked = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  return marked.filter((name) => /^(?:domain|api|server|web|tests|docs|deploy|scripts|\.github)\//.test(name))
}

test.each(['SECURITY.md', 'docs/asvs.md', 'docs/how-to/run-it-on-a-server.md'])(
  '%s mentions only existing files',
  (page) => {
    const files = filesIn(read(page))
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    expect(files.length).toBeGreaterThan(1)
  },
)

test('docs/asvs.md lists every ASVS requirement once, with a result and a reason', () => {
  const page = read('docs/asvs.md')
  const rows = [...page.matchAll(/^\| (\d[\d., ]*) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)]
  const numbers = rows.flatMap(([, list = '']) => list.split(', '))
  expect(numbers).toHaveLength(REQUIREMENTS_OF_LEVEL_2)
  expect(new Set(numbers).size).toBe(numbers.length)
  const outcomes = new Set(rows.map(([, , , outcome]) => outcome))
  expect(outcomes).toEqual(new Set(['met', 'partly', 'yours', 'not', '–']))
  for (const outcome of outcomes) {
    const counted = rows.filter(([, , , each]) => each === outcome).flatMap(([, list = '']) => list.split(', '))
    expect(page).toContain(`**${outcome}**: ${counted.length},`)
  }
})
