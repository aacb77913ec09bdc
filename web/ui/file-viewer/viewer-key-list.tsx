import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** The keys of the viewer, for whoever asks. */
export function ViewerKeyList() {
  return (
    <section className="file-viewer-keys" aria-label={UI_TEXTS.fileViewer.keys}>
      <dl>
        {UI_TEXTS.fileViewer.keyList.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
