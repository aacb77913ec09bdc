import { FUNCTION_GROUPS, type FunctionGroup } from '#domain/formulas/functions/formula-function.ts'
import { FUNCTIONS, signatureOf } from '#domain/formulas/functions/functions.ts'
import { SUMMARY_FUNCTIONS } from '#domain/formulas/functions/summary-functions.ts'

const TITLES: { readonly [Group in FunctionGroup]: string } = {
  logic: 'Conditions',
  number: 'Numbers',
  text: 'Texts',
  date: 'Dates and times',
  record: 'The record',
}

const escaped = (text: string): string => text.replaceAll('|', String.raw`\|`)

/** The functions as tables in Markdown, as in `docs/formulas.md`. */
export function formulaReference(): string {
  const groups = FUNCTION_GROUPS.map((group) => {
    const rows = [...FUNCTIONS]
      .filter(([, known]) => known.group === group)
      .map(([name, known]) => {
        const examples = known.examples.map(
          ([formula, result]) => `\`${escaped(formula)}\` → ${escaped(result) || 'empty'}`,
        )
        return `| \`${signatureOf(name, known)}\` | ${escaped(known.help)} | ${examples.join('<br>')} |`
      })
    return [`### ${TITLES[group]}`, '', '| function | meaning | examples |', '|---|---|---|', ...rows].join('\n')
  })
  const summaries = [...SUMMARY_FUNCTIONS.values()].map(({ example, help }) => `| \`${example}\` | ${help} |`)
  const linked = ['### Linked records', '', '| example | meaning |', '|---|---|', ...summaries].join('\n')
  return [...groups, linked].join('\n\n')
}
