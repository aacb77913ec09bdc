import type { TemplateBody } from '#api/templates.ts'
import { foldText } from '#domain/shared/text.ts'

const textOf = ({ label, purpose, alsoCalled, collections }: TemplateBody): string =>
  [label, purpose, alsoCalled, ...collections.flatMap((one) => [one.label, ...one.fields.map((field) => field.label)])]
    .map((text) => ` ${foldText(text)}`)
    .join('')

/** Whether every search word is a prefix of a word in the template's names, purpose, collections or fields. */
export function templateMatches(template: TemplateBody, search: string): boolean {
  const text = textOf(template)
  const words = foldText(search).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u').test(text))
}
