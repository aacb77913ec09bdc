import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Number of ASVS 5.0 requirements at levels 1 and 2. */
const REQUIREMENTS_OF_LEVEL_2 = 253

const read = (file: string): string => readFileSync(file, 'utf8')

const files = globSync('**/*.*', { exclude: ['node_modules/**', 'dist/**', 'data/**'] })

/** Pages with invented examples. */
const EXAMPLES = /how-to\/(?:add-a-|write-a-migration)/

/** Code spans that name source files. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./@-]+\.(?:tsx?|mjs|css|sh|md))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('dist/'))

test('documents mention only existing files', () => {
  const paths = new Set(files)
  const endings = new Set(files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))))
  const missing = files
    .filter((page) => page.endsWith('.md') && !EXAMPLES.test(page))
    .flatMap((page) =>
      filesIn(read(page))
        .filter((file) => !endings.has(file) && !paths.has(join(dirname(page), file)))
        .map((file) => `${page}: ${file}`),
    )
  expect(missing).toEqual([])
})

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
