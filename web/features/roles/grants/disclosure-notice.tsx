import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { GrantInput } from '#api/roles.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { t } from '#web/i18n/t.ts'
import { describeDisclosures } from './describe-disclosure.ts'
import { useKnownCollections } from './use-grant-labels.ts'

/** More are shown on request. */
const SHOWN = 4

const NONE: readonly GrantInput[] = []

type DisclosureNoticeProps = {
  readonly title: string
  readonly grants: readonly GrantInput[]
  /** Grants whose disclosures aren't repeated. */
  readonly except?: readonly GrantInput[]
}

/** Empty if nothing can be inferred. */
export function DisclosureNotice({ title, grants, except = NONE }: DisclosureNoticeProps) {
  const [isWhole, setWhole] = useState(false)
  const collections = useKnownCollections()
  const lines = useMemo(() => {
    const known = new Set(describeDisclosures(except, collections).map(({ key }) => key))
    return describeDisclosures(grants, collections).filter(({ key }) => !known.has(key))
  }, [grants, except, collections])
  if (lines.length === 0) return null
  return (
    <Notice
      title={title}
      detail={
        <ul className="disclosures">
          {(isWhole ? lines : lines.slice(0, SHOWN)).map(({ key, collection, learned, remedy }) => (
            <li key={key}>
              <strong>{collection}</strong> {learned}
              <p className="grant-hint">{remedy}</p>
            </li>
          ))}
        </ul>
      }
      actions={
        lines.length > SHOWN &&
        !isWhole && (
          <Button size="xs" onClick={() => setWhole(true)}>
            {t('Show all {n}', { n: lines.length })}
          </Button>
        )
      }
    />
  )
}
