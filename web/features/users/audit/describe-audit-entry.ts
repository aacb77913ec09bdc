import type { AuditItem } from '#domain/audit/describe-audit.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'

/** Which details name roles or policies, and which hold the ids of those. */
const NAMES_AND_IDS = [
  ['name', 'role'],
  ['name', 'policy'],
  ['roles', 'role'],
  ['from', 'was'],
  ['to', 'is'],
] as const

/** Kinds that are about roles and policies. */
const ABOUT_RULES = /^(?:role|policy)-|^invited$/

/** How a role or a policy is called in the language of the page. */
type DescribeRule = (rule: { readonly id: string; readonly name: string }) => { readonly name: string }

/** An entry with the roles and policies every workspace begins with called as the page calls them. */
export function describeAuditEntry(item: AuditItem, say: DescribeRule = builtInText): AuditItem {
  if (!ABOUT_RULES.test(item.kind)) return item
  const details: { [name: string]: string } = { ...item.details }
  for (const [names, ids] of NAMES_AND_IDS) {
    const [called, meant] = [item.details[names], item.details[ids]]
    if (called !== undefined && meant !== undefined) details[names] = inWords(called, meant, say)
  }
  return { ...item, details }
}

/** Names in one text, by their ids in another; as they are where a name holds what stands between them. */
function inWords(called: string, meant: string, say: DescribeRule): string {
  const [names, ids] = [called.split(', '), meant.split(' ')]
  if (names.length !== ids.length) return called
  return names.map((name, at) => say({ id: ids[at] ?? '', name }).name).join(', ')
}
