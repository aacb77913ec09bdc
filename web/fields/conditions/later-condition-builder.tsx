import { Skeleton } from '@mantine/core'
import { later, useLater } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'
import type { ConditionBuilderProps } from './condition-builder.tsx'

const builder = later(() => import('./condition-builder.tsx'))

/** The condition builder, fetched when a page first shows one. */
export function LaterConditionBuilder(props: ConditionBuilderProps) {
  const { ConditionBuilder } = useLater(builder, true) ?? {}
  return ConditionBuilder ? (
    <ConditionBuilder {...props} />
  ) : (
    <Skeleton height={64} role="img" aria-label={t('Loading')} />
  )
}
