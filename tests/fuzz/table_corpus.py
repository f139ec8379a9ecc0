"""The files that cases of tables start from: GEXF, GML, CRM exports, Parquet, lists of edges."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import networkx as nx
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

Put = Callable[[str, bytes | str], None]
_COUNT = 12


def make(put: Put) -> None:
    """Writes the examples of each kind."""
    _graph_files(put)
    _crm(put)
    _arrow(put)
    _edge_lists(put)
    _recipe(put)


def _club() -> nx.Graph:
    graph: nx.Graph = nx.Graph(name="club")
    for i in range(_COUNT):
        graph.add_node(i, name=f"P {i}", team="ab"[i % 2], age=20 + i / 2, old=bool(i % 3))
        if i % 4:
            graph.nodes[i]["town"] = "xyz"[i % 3]
    graph.add_edges_from((i, (i + 2) % _COUNT) for i in range(_COUNT))
    return graph


def _graph_files(put: Put) -> None:
    graph = _club()
    put("gml/club.gml", "\n".join(nx.generate_gml(graph)))
    put("gml/directed.gml", "\n".join(nx.generate_gml(nx.DiGraph(graph))))
    for i in graph:
        graph.nodes[i]["viz"] = {"size": 1.5, "position": {"x": 1.0, "y": 2.0, "z": 0.0}}
    put("gexf/club.gexf", "\n".join(nx.generate_gexf(graph)))
    plain = "\n".join(nx.generate_gexf(graph))
    default = '<attribute id="9" title="rank" type="integer"><default>3</default></attribute>'
    put("gexf/default.gexf", plain.replace("</attributes>", f"{default}</attributes>", 1))
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    bomb = plain.replace("P 3", "&l9;").split("?>")[-1]
    put("gexf/laughs.gexf", f'<!DOCTYPE lolz [<!ENTITY l0 "ha">{laughs}]>{bomb}')


def _crm(put: Put) -> None:
    people = ["mail;name;country;age;revenue;news;since;team"]
    for i in range(_COUNT):
        age = "" if i % 5 == 0 else 20 + i
        people.append(
            f"p{i}@x.org;Name {i};{('DE', 'AT', '')[i % 3]};{age};{i},50;"
            f"{('True', 'no', '')[i % 3]};{i};{'ab'[i % 2]}"
        )
    links = ["who;whom"] + [f"p{i}@x.org;p{(i + 2) % _COUNT}@x.org" for i in range(_COUNT)]
    for name, separator in (("semicolon", ";"), ("tab", "\t")):
        for file, lines in (("people", people), ("links", links)):
            put(f"crm/{name}/{file}.csv", "\n".join(lines).replace(";", separator) + "\n")
    quoted = "\n".join('"' + line.replace(";", '";"') + '"' for line in people)
    put("crm/quoted/people.csv", "\ufeff" + quoted)
    put("crm/quoted/links.csv", "\r\n".join(links))


def _arrow(put: Put) -> None:
    people = pa.table(
        {
            "mail": [f"p{i}" for i in range(_COUNT)],
            "age": [None if i % 5 == 0 else i / 2 for i in range(_COUNT)],
            "news": [bool(i % 2) for i in range(_COUNT)],
            "country": pa.array(["DE", "AT", None] * (_COUNT // 3)).dictionary_encode(),
            "tags": [["a"] * (i % 3) for i in range(_COUNT)],
            "team": ["ab"[i % 2] for i in range(_COUNT)],
        }
    )
    links = {"who": [f"p{i}" for i in range(_COUNT)], "whom": [f"p{11 - i}" for i in range(_COUNT)]}
    for codec in ("none", "snappy"):
        for name, table in (("people", people), ("links", pa.table(links))):
            file = io.BytesIO()
            pyarrow.parquet.write_table(table, file, compression=codec, write_statistics=False)
            put(f"parquet/{codec}/{name}.parquet", file.getvalue())
    for codec in ("uncompressed", "lz4"):
        for name, table in (("people", people), ("links", pa.table(links))):
            file = io.BytesIO()
            pyarrow.feather.write_feather(table, file, compression=codec)
            put(f"feather/{codec}/{name}.feather", file.getvalue())


def _edge_lists(put: Put) -> None:
    labels = "id,label\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(_COUNT))
    texts = {
        "spaces": "# a graph\n" + "".join(f"{i} {(i + 1) % _COUNT}\n" for i in range(_COUNT)),
        "tabs": "".join(f"{i}\t{(i + 1) % _COUNT}\t0.5\n" for i in range(_COUNT)),
        "weighted": "".join(f"{i} {i * 5 % _COUNT} {i + 1}e-2\n" for i in range(_COUNT)),
        "mixed": "% x\n1 2\n3\t4\n\n5,6\n# y\n7 8 9\n",
    }
    for name, text in texts.items():
        put(f"edge_list/{name}/links.txt", text)
        put(f"edge_list/{name}/who.csv", labels)


def _recipe(put: Put) -> None:
    import datasets

    people = {
        "id": list("abcdef"),
        "age": [1.0, None, 3.0, 4.0, 5.0, 6.0],
        "news": [True, False, None, True, True, False],
        "town": ["x", "x", "y", "y", None, "z"],
        "name": list("ghijkl"),
        "label": list("aabbab"),
    }
    links = {"from": list("abcde"), "to": list("bcdef")}
    graph = datasets.from_tables(people, links)
    put("recipe/people.json", json.dumps(graph.recipe.to_dict(), indent=1))
    bare = datasets.from_tables({"id": people["id"], "label": people["label"]}, links)
    put("recipe/stand_ins.json", json.dumps(bare.recipe.to_dict(), indent=1))
