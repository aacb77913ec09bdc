import { Button } from '@mantine/core'
import type { ViewBody } from '#api/views.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { Notice } from '#web/kit/notice.tsx'
import { useChangeView } from './view-changes.ts'
import { fellAwayText } from './view-words.ts'
import type { ViewsBarProps } from './views-props.ts'

type ViewNoticeProps = {
  readonly collection: KnownCollection
  readonly view: ViewBody
  readonly content: ViewsBarProps['content']
}

/** Says what of a view is gone, and offers to keep it without. */
export function ViewNotice({ collection, view, content }: ViewNoticeProps) {
  const { mutate, isPending } = useChangeView(collection.id)
  const keepIt = () => mutate({ view: view.id, body: { ...content, version: view.version } })
  return (
    <div className="view-notice">
      <Notice
        title="Part of this view is gone"
        detail={fellAwayText(view.fellAway)}
        actions={
          view.mayChange && (
            <Button size="xs" loading={isPending} onClick={keepIt}>
              Keep the view without it
            </Button>
          )
        }
      />
    </div>
  )
}
