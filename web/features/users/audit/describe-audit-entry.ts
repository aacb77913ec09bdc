import type { AuditItem } from '#domain/audit/describe-audit.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'

/** Detail names that contain names or ids of roles and policies. */
const NAMES_AND_IDS = [
  ['name', 'role'],
  ['name', 'policy'],
  ['roles', 'role'],
  ['from', 'was'],
  ['to', 'is'],
] as const

const ABOUT_RULES = /^(?:role|policy)-|^invited$/

type DescribeRule = (rule: { readonly id: string; readonly name: string }) => { readonly name: string }

export function describeAuditEntry(item: AuditItem, say: DescribeRule = builtInText): AuditItem {
  if (!ABOUT_RULES.test(item.kind)) return item
  const details: { [name: string]: string } = { ...item.details }
  for (const [names, ids] of NAMES_AND_IDS) {
    const [called, meant] = [item.details[names], item.details[ids]]
    if (called !== undefined && meant !== undefined) details[names] = inWords(called, meant, say)
  }
  return { ...item, details }
}

/** Translates names by their ids; unchanged if a name contains the separator. */
function inWords(called: string, meant: string, say: DescribeRule): string {
  const [names, ids] = [called.split(', '), meant.split(' ')]
  if (names.length !== ids.length) return called
  return names.map((name, at) => say({ id: ids[at] ?? '', name }).name).join(', ')
}
