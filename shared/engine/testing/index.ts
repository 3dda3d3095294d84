export { Deriver, joinDerived } from '../derived/deriver.ts';
export type { EvtxEvent, XmlContent, XmlElement } from './evtx-element.ts';
export type { EvtxValue, ScalarType, TaggedValue } from './evtx-values.ts';
export { type EvtxOptions, writeEvtx } from './evtx-writer.ts';
export { type EvtxTexts, evtxTexts } from './evtx-texts.ts';
export { Exercise } from './exercise.ts';
export { firstRecord, type FirstRecord } from './first-record.ts';
export { freshTables, readAll, type ReadResult, sourceOf } from './read-all.ts';
export * from './tar-writer.ts';
