import { useQuery } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { foldText } from '#domain/shared/text.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { ACCOUNT_PAGES, pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'

/** A page and the names it has in URLs and in the UI. */
type NamedTarget = { readonly href: string; readonly label: string; readonly names: readonly string[] }

const MAX_RESULTS = 3

/** Minimum length; shorter path segments would match almost anything. */
const SHORTEST_PART = 3

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const changed = (row[to - 1] ?? 0) + (isSame ? 0 : 1)
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The distance between two words; undefined if they are unrelated. */
function distanceFrom(part: string, name: string): number | undefined {
  const known = foldText(name)
  if (known.startsWith(part) || part.startsWith(known)) return Math.abs(known.length - part.length) / 10
  const letters = editDistance(part, known)
  return letters <= Math.max(1, Math.floor(part.length / 3)) ? letters : undefined
}

/** Pages with names close to a segment of this path, nearest first. */
export function similarNames(path: string, places: readonly NamedTarget[]): readonly NamedTarget[] {
  const parts = path
    .split('/')
    .map((part) => foldText(part))
    .filter((part) => part.length >= SHORTEST_PART && part !== 'collections' && part !== 'settings')
  return places
    .flatMap((place) => {
      const found = parts.flatMap((part) =>
        place.names.filter((name) => name.length >= SHORTEST_PART).flatMap((name) => distanceFrom(part, name) ?? []),
      )
      return found.length === 0 ? [] : [{ place, far: Math.min(...found) }]
    })
    .toSorted((one, other) => one.far - other.far)
    .slice(0, MAX_RESULTS)
    .map(({ place }) => place)
}

const placeOf = ({ name, label }: CollectionBody): NamedTarget => ({
  href: collectionPath(name),
  label,
  names: [name, label],
})

export type SimilarPagesProps = { readonly path: string; readonly scope: readonly string[] }

export function SimilarPages({ path, scope }: SimilarPagesProps) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const follow = useFollow()
  const pages = [...ACCOUNT_PAGES, ...pagesFor(SETTINGS_PAGES, scope)].map(
    ({ to, name }): NamedTarget => ({
      href: String(to),
      label: name,
      names: [name, String(to).split('/').at(-1) ?? ''],
    }),
  )
  const near = similarNames(path, [...collections.map(placeOf), ...pages])
  if (near.length === 0) return null
  return (
    <>
      <p id="near-names">{t('Were you looking for one of these?')}</p>
      <ul className="message-frame-near" aria-labelledby="near-names">
        {near.map(({ href, label }) => (
          <li key={href}>
            <a href={href} onClick={follow}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
