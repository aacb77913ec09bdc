import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

/** One file of the four roots: its path from the top, its text, its syntax, and every file or package it imports. */
export type SourceFile = {
  readonly path: string
  readonly text: string
  readonly syntax: ParseResult
  readonly imports: readonly string[]
}

/** `#domain/x.ts` and `../x.ts` become paths from the top; the name of a package stays as it is. */
function targetOf(path: string, said: string): string {
  if (said.startsWith('#')) return said.slice(1)
  return said.startsWith('.') ? join(dirname(path), said).replaceAll('\\', '/') : said
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const syntax = parseSync(path, text)
  const { staticImports, staticExports, dynamicImports } = syntax.module
  const said = [
    ...staticImports.map((one) => one.moduleRequest.value),
    ...staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    // Only a written address can be judged; a computed one is left to review.
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^['"`](.+)['"`]$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ]
  return { path, text, syntax, imports: said.map((one) => targetOf(path, one)) }
}

/** Every file of the four roots, tests included, read once for all laws. */
export const allSourceFiles: readonly SourceFile[] = globSync('{domain,api,server,web}/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map(readSource)

/** The files that are shipped: the laws of import bind these, while a test may reach for what it needs. */
export const sourceFiles: readonly SourceFile[] = allSourceFiles.filter(({ path }) => !path.includes('.test.'))

/** The line of a place in a file, as people count. */
export function lineOf({ text }: SourceFile, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
