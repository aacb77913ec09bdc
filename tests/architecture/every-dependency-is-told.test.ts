import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Manifest = { readonly [part: string]: { readonly [name: string]: string } | undefined }

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))

const installed = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((part) =>
  Object.keys(manifest[part] ?? {}),
)

/** The names in the first cell of each line of a table; `@types/*` stands for all that begin so. */
const told = readFileSync('docs/dependencies.md', 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('| `') ? (line.split('|')[1]?.match(/(?<=`)[^`,\s]+(?=`)/g) ?? []) : []))

const standsFor = (name: string, dependency: string): boolean =>
  name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : name === dependency

test('every dependency says in docs/dependencies.md what it does for us, and nothing that is gone still does', () => {
  const untold = installed.filter((dependency) => !told.some((name) => standsFor(name, dependency)))
  const gone = told.filter((name) => !installed.some((dependency) => standsFor(name, dependency)))
  expect({ untold, gone }).toEqual({ untold: [], gone: [] })
})
