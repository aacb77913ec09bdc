import { Skeleton } from '@mantine/core'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { ConditionBuilderProps } from './condition-builder.tsx'

const builder = lazyModule(() => import('./condition-builder.tsx'))

export function LazyConditionBuilder(props: ConditionBuilderProps) {
  const { ConditionBuilder } = useLazyModule(builder, true) ?? {}
  return ConditionBuilder ? (
    <ConditionBuilder {...props} />
  ) : (
    <Skeleton height={64} role="img" aria-label={t('Loading')} />
  )
}
