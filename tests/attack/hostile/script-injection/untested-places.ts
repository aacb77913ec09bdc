import type { Fate } from './marks.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Names of query parameters and credentials, which aren't stored as text. */
const LOOKED_UP = words(`
  id collection collections record records field fields relation path view dashboard user role roles policies titleField
  cover only except by splitBy measured start end hiddenWhenEmpty place neighbor add take delete to from key
  requiredToLeave frozen order hidden footers group sort filter when search separator accept scopes expiresAt
  timeZone at before code password current next refresh_token response returnTo callback url`)

/** Too short for a script, or stored and shown like another place that is tested. */
const NO_SCRIPTS = words(`
  options.currency options.unit newField.description fields.defaultFormula newField.defaultFormula workspaceName`)

/** API names, which consist of lowercase letters and digits. */
const NAMES = words('fields.name newField.name newCollection.name items.name')

/** Places covered neither by the manual lists nor by the API reference. */
export function untestedPlaces(untried: readonly string[], fates: ReadonlyMap<string, Fate>): readonly string[] {
  const tails = new Set([...fates].filter(([, { kept }]) => kept > 0).map(([place]) => tailOf(place)))
  return [...new Set(untried)].filter((place) => !tails.has(tailOf(place)) && !isNoText(place))
}

const partsOf = (place: string): readonly string[] => (place.split(' ', 1)[0] ?? '').split('.')
const lastOf = (place: string): string => partsOf(place).findLast((part) => part !== '*') ?? ''
const isNoText = (place: string): boolean =>
  LOOKED_UP.has(lastOf(place)) || NAMES.has(tailOf(place)) || NO_SCRIPTS.has(tailOf(place))
/** The last two names of a place, which can also identify it. */
const tailOf = (place: string): string =>
  partsOf(place)
    .filter((part) => part !== '*')
    .slice(1)
    .slice(-2)
    .join('.')
