import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

/** A file in `domain/`, `api/`, `server/` or `web/`; `imports` are paths from the project root, or package names. */
export type SourceFile = {
  readonly path: string
  readonly text: string
  readonly syntax: ParseResult
  readonly imports: readonly string[]
}

/** Resolves `#domain/x.ts` and `../x.ts` to paths from the project root; leaves package names unchanged. */
function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(path), specifier).replaceAll('\\', '/') : specifier
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const syntax = parseSync(path, text)
  const { staticImports, staticExports, dynamicImports } = syntax.module
  const specifiers = [
    ...staticImports.map((one) => one.moduleRequest.value),
    ...staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    // Computed import specifiers can't be checked.
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^['"`](.+)['"`]$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ]
  return { path, text, syntax, imports: specifiers.map((one) => targetOf(path, one)) }
}

/** Files in `domain/`, `api/`, `server/` and `web/`, including tests. */
export const allSourceFiles: readonly SourceFile[] = globSync('{domain,api,server,web}/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map(readSource)

/** Source files without tests, to which import rules don't apply. */
export const sourceFiles: readonly SourceFile[] = allSourceFiles.filter(({ path }) => !path.includes('.test.'))

/** 1-based line number of an offset. */
export function lineOf({ text }: SourceFile, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
